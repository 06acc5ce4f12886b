/** Names of samplers, as in the settings. (OpenTelemetry, OTEL_TRACES_SAMPLER.) */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface SamplerSettings {
  /** `parentbased_`: the caller that started the trace decides, and this service for the traces that it starts. */
  readonly name: (typeof SAMPLERS)[number];
  /** Share of traces, 0 to 1, for samplers by ratio. */
  readonly ratio: number;
}
