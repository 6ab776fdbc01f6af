// Where a Service is, as a question that can be asked of the cluster and its answer.

export type ServiceName = { readonly namespace: string; readonly name: string };

export type ServiceQuestion = ServiceName & {
  /** The addresses of the Service itself, or those of the pods behind it that are ready. */
  readonly kind: 'addresses' | 'endpoints';
};

export type ServiceAnswer = {
  readonly isThere: boolean;
  readonly addresses: readonly string[];
  /** Where endpoints take datagrams; null when they do not, and for the Service itself. */
  readonly port: number | null;
};

/** By `questionKey`. */
export type ServiceAnswers = ReadonlyMap<string, ServiceAnswer>;

export function questionKey({ kind, namespace, name }: ServiceQuestion): string {
  return `${kind} of ${namespace}/${name}`;
}
