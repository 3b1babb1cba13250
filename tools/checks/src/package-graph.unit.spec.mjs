import { describe, expect, it } from 'vitest';
import { graphFaults } from './package-graph.mjs';

const isService = (folder) => ['services/library', 'services/social'].includes(folder);
const edge = (path, to) => ({ path, from: path.split('/').slice(0, 2).join('/'), to });
const faults = (...edges) => graphFaults(edges, isService).map(({ path, text }) => `${path}: ${text}`);

describe('graphFaults', () => {
  it('finds the way of a spec to another service through a tool', () => {
    const edges = [edge('services/social/src/a.int.spec.ts', 'tools/filler'), edge('tools/filler/src/b.ts', 'services/library')];
    expect(faults(...edges)).toEqual([
      'services/social/src/a.int.spec.ts: reaches another service: services/social → tools/filler → services/library',
    ]);
  });

  it('finds a library that reaches a service', () => {
    expect(faults(edge('services/chassis/src/a.ts', 'services/library'))).toEqual([
      'services/chassis/src/a.ts: reaches another service: services/chassis → services/library',
    ]);
  });

  it('finds a program of a service that imports a tool', () => {
    expect(faults(edge('services/social/src/a.ts', 'tools/local-servers'))).toEqual([
      'services/social/src/a.ts: imports tools/local-servers: services and libraries use tools in tests only',
    ]);
  });

  it('lets tools import services, and each of them its own specs', () => {
    const edges = [
      edge('tools/standalone/src/a.ts', 'services/library'),
      edge('services/social/src/a.int.spec.ts', 'tools/local-servers'),
      edge('tools/local-servers/src/b.int.spec.ts', 'services/library'),
      edge('services/social/src/a.ts', 'services/chassis'),
    ];
    expect(faults(...edges)).toEqual([]);
  });
});
