import { z } from 'zod';
import type { Schema } from './schema-set.js';

/** A parameter as a request sends it. */
export interface DescribedParameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** Metadata of a parameter's schema: what a request sends, where the schema itself only reads text. */
export interface ParameterMeta {
  readonly parameter: Schema;
}

/** Metadata of a schema, or of the one that it continues. */
const metaOf = (schema: unknown): Schema | undefined => {
  const own = schema instanceof z.ZodType ? (z.globalRegistry.get(schema) as Partial<ParameterMeta> | undefined)?.parameter : undefined;
  if (own) return own;
  if (schema instanceof z.ZodPipe) return metaOf(schema.in);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? metaOf(schema.unwrap()) : undefined;
};

const jsonSchemaOf = (schema: z.ZodType): Schema => {
  const { $schema: _dialect, '~standard': _standard, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  return json;
};

/** A schema reads an absent parameter unless it is required; some throw errors of their own. */
export const isRequired = (schema: z.ZodType): boolean => {
  try {
    return !schema.safeParse(undefined).success;
  } catch {
    return true;
  }
};

const shapeOf = (schema: unknown): Readonly<Record<string, z.ZodType>> => {
  if (schema instanceof z.ZodObject) return schema.shape;
  return schema instanceof z.ZodPipe ? shapeOf(schema.in) : {};
};

/** Parameters of an object schema, or of one that continues an object schema. */
export const parametersOf = (schema: unknown): DescribedParameter[] => parametersOfShape(shapeOf(schema));

/** Parameters by their schemas. */
export const parametersOfShape = (shape: Readonly<Record<string, unknown>>): DescribedParameter[] =>
  Object.entries(shape).map(([name, field]) => ({
    name,
    isRequired: isRequired(field as z.ZodType),
    schema: metaOf(field) ?? jsonSchemaOf(field as z.ZodType),
  }));
