import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { config } from './config.js';
import type { KubernetesObject } from './render.js';

/** Kinds that are not Kubernetes' own: what their projects publish checks them. */
const extensions: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  HTTPRoute,
  ScaledObject,
  PrometheusRule,
  ServiceMonitor,
};

/** Releases of Kubernetes whose schemas are at hand, such as `v1.33.0`. */
export const releases: readonly string[] = config.schemas === undefined ? [] : readdirSync(config.schemas).toSorted();

/** Kubernetes' formats are its own; the types are what matters. */
const formats = { int32: true, int64: true, double: true, byte: true, 'date-time': true, 'int-or-string': true } as const;

/** Says what is wrong with objects, by the schemas that one release of Kubernetes publishes, unknown fields included. */
export class KubernetesSchemas {
  readonly #folder: string;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  readonly #known = new Map<string, ValidateFunction>();

  /** @param release one of `releases` */
  constructor(release: string) {
    this.#folder = join(config.schemas ?? '', release);
    this.#ajv.addSchema(this.#read('_definitions.json'), '_definitions.json');
  }

  /** Complaints about the object; none when Kubernetes would take it. */
  complaints(object: KubernetesObject): string[] {
    const extension = extensions[object.kind];
    if (extension) return thrown(() => new extension(object as never).validate());
    const validate = this.#validatorOf(object);
    validate(object);
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  #validatorOf({ apiVersion, kind }: KubernetesObject): ValidateFunction {
    // deployment-apps-v1, networkpolicy-networking-v1, configmap-v1
    const name = [kind, ...apiVersion.split('/').map((part) => part.split('.')[0])].join('-').toLowerCase();
    const known = this.#known.get(name);
    if (known) return known;
    const file = join(this.#folder, `${name}.json`);
    if (!existsSync(file)) throw new Error(`this release of Kubernetes knows no ${kind} of ${apiVersion}`);
    const validate = this.#ajv.compile(this.#read(`${name}.json`));
    this.#known.set(name, validate);
    return validate;
  }

  #read(file: string): AnySchemaObject {
    return JSON.parse(readFileSync(join(this.#folder, file), 'utf8')) as AnySchemaObject;
  }
}

const thrown = (work: () => void): string[] => {
  try {
    work();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};
