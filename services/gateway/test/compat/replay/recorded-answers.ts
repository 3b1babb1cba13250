import { readdirSync } from 'node:fs';
import { hasSpecification, specificationFile, specificationPath } from '../../api-facts/specification.js';
import { operationOf, type OperationName } from '../../../src/apis/compat/registry/names.js';

/** Recorded forms: extended answers, and those of the original server. */
export const recordedForms = ['opensubsonic', 'subsonic'] as const;
export type RecordedForm = (typeof recordedForms)[number];

/** A recorded answer. */
export interface RecordedAnswer {
  readonly form: RecordedForm;
  readonly format: 'json' | 'xml';
  /** File name without extension: `jukeboxControl-get`. */
  readonly name: string;
  /** Undefined for recorded errors, which belong to no operation. */
  readonly operation: OperationName | undefined;
  readonly text: string;
}

const FILE = /^(?<name>[^.]+)(?:\.documented)?\.(?<format>json|xml)$/;

const recordedIn = (form: RecordedForm): RecordedAnswer[] => {
  const folder = `compat/examples/${form}`;
  return readdirSync(specificationPath(folder)).flatMap((file) => {
    const { name, format } = FILE.exec(file)?.groups ?? {};
    // Other files are requests.
    if (name === undefined) return [];
    const text = specificationFile(`${folder}/${file}`);
    return [{ form, format: format as 'json' | 'xml', name, operation: operationOf(name.split('-')[0] ?? ''), text }];
  });
};

/** All recorded answers; none without the specification. */
export const recordedAnswers = (): RecordedAnswer[] => (hasSpecification ? recordedForms.flatMap(recordedIn) : []);
