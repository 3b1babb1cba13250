import { readdirSync } from 'node:fs';
import { hasSpecification, specificationFile, specificationPath } from '../../api-facts/specification.js';
import { apiVersions, type ApiVersion, type Format } from '../../../src/apis/native/versions/policy.js';

/** A recorded answer. */
export interface Example {
  readonly version: ApiVersion;
  readonly format: Format;
  /** File name without extension, blanks for underscores in the variant: `albums (with include)`. */
  readonly name: string;
  /** Part before the variant: `albums`. */
  readonly action: string;
  readonly text: string;
  /** Operation names in the OpenAPI document, if known. */
  readonly operations: readonly string[];
  /** True for a recording that is older than its version and lacks fields. */
  readonly old: boolean;
}

interface IndexEntry {
  readonly operations: readonly string[];
  readonly valid: boolean;
}

const plainVariant = (name: string): string => name.replace(/\(.*\)$/, (variant) => variant.replaceAll('_', ' '));

const examplesIn = (version: ApiVersion, format: Format, index: Readonly<Record<string, IndexEntry>>): Example[] => {
  const folder = `native/examples/${version}/${format}`;
  return readdirSync(specificationPath(folder)).map((file) => {
    const name = plainVariant(file.slice(0, -format.length - 1));
    const { operations = [], valid = true } = format === 'json' && version === 8 ? (index[file] ?? {}) : {};
    return {
      version,
      format,
      name,
      action: name.split(' ')[0] as string,
      text: specificationFile(`${folder}/${file}`),
      operations,
      old: !valid,
    };
  });
};

/** All recorded answers; none without the specification. */
export const recordedExamples = (): Example[] => {
  if (!hasSpecification) return [];
  const index = JSON.parse(specificationFile('native/examples/8/index.json')) as Record<string, IndexEntry>;
  return apiVersions.flatMap((version) =>
    (['json', 'xml'] as const)
      .filter((format) => version !== 3 || format === 'xml')
      .flatMap((format) => examplesIn(version, format, index)),
  );
};
