/** The names by which an operator says which traces are written. (OpenTelemetry, OTEL_TRACES_SAMPLER.) */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface SamplerSettings {
  /** `parentbased_`: whoever begins the trace decides, and this service for those that it begins. */
  readonly name: (typeof SAMPLERS)[number];
  /** Of 1, for those by ratio. */
  readonly ratio: number;
}
