import { readdirSync } from 'node:fs';
import { hasSpecification, specificationFile, specificationPath } from '../../testkit/specification.js';
import { operationOf, type OperationName } from '../registry/names.js';

/** The forms that were recorded: extended answers, and those of the original server. */
export const recordedForms = ['opensubsonic', 'subsonic'] as const;
export type RecordedForm = (typeof recordedForms)[number];

/** A recorded answer. */
export interface RecordedAnswer {
  readonly form: RecordedForm;
  readonly format: 'json' | 'xml';
  /** File name without its ending: `jukeboxControl-get`. */
  readonly name: string;
  /** Undefined for the recorded errors, which are of no operation in particular. */
  readonly operation: OperationName | undefined;
  readonly text: string;
}

const FILE = /^(?<name>[^.]+)(?:\.documented)?\.(?<format>json|xml)$/;

const recordedIn = (form: RecordedForm): RecordedAnswer[] => {
  const folder = `compat/examples/${form}`;
  return readdirSync(specificationPath(folder)).flatMap((file) => {
    const { name, format } = FILE.exec(file)?.groups ?? {};
    // What is no answer is a request.
    if (name === undefined) return [];
    const text = specificationFile(`${folder}/${file}`);
    return [{ form, format: format as 'json' | 'xml', name, operation: operationOf(name.split('-')[0] ?? ''), text }];
  });
};

/** Every recorded answer; none where the specification is not at hand. */
export const recordedAnswers = (): RecordedAnswer[] => (hasSpecification ? recordedForms.flatMap(recordedIn) : []);
