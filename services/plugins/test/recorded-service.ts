import { FakeService, type FakeAnswer } from './fake-service.js';

/** An answer that a service would give to a request: to a path, and to parameters with these values; others do not matter. */
export interface RecordedAnswer extends FakeAnswer {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** A stand-in that gives recorded answers, the first that fits, and 404 for everything else. */
export const recordedService = async (answers: readonly RecordedAnswer[]): Promise<FakeService> => {
  const service = await FakeService.start();
  service.answer = (path, query) => {
    const fits = (one: RecordedAnswer): boolean =>
      one.path === path && Object.entries(one.query ?? {}).every(([name, value]) => query.get(name) === value);
    return answers.find(fits) ?? { status: 404, json: { error: 'not found' } };
  };
  return service;
};
