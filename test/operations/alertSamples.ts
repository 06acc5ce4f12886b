/**
 * Sample series for `promtool test rules`, one value per 30 s: for each alert, values that make it fire and values of a
 * healthy service.
 */
export interface AlertSample {
  readonly alert: string;
  readonly fires: readonly string[];
  readonly healthy: readonly string[];
  /** Time by which the alert must have fired. */
  readonly after: string;
}

const HTTP = 'suuq_http_request_duration_seconds';

export const alertSamples: readonly AlertSample[] = [
  { alert: 'SuuqDown', fires: ['up{job="suuq"} 0x20'], healthy: ['up{job="suuq"} 1x20'], after: '5m' },
  { alert: 'SuuqEngineDown', fires: ['suuq_engine_up 0x20'], healthy: ['suuq_engine_up 1x20'], after: '5m' },
  {
    alert: 'SuuqServerErrors',
    fires: [`${HTTP}_count{status="200"} 0+98x60`, `${HTTP}_count{status="503"} 0+2x60`],
    healthy: [`${HTTP}_count{status="200"} 0+998x60`, `${HTTP}_count{status="503"} 0+2x60`],
    after: '20m',
  },
  {
    alert: 'SuuqSlow',
    fires: [
      `${HTTP}_bucket{operation="getOrder",le="0.5"} 0+97x80`,
      `${HTTP}_bucket{operation="getOrder",le="1"} 0+100x80`,
      `${HTTP}_bucket{operation="getOrder",le="+Inf"} 0+100x80`,
    ],
    healthy: [
      `${HTTP}_bucket{operation="getOrder",le="0.5"} 0+100x80`,
      `${HTTP}_bucket{operation="getOrder",le="+Inf"} 0+100x80`,
    ],
    after: '30m',
  },
  {
    alert: 'SuuqThreadSaturated',
    fires: ['suuq_thread_busy_seconds_total{thread="main"} 0+29x80'],
    healthy: ['suuq_thread_busy_seconds_total{thread="main"} 0+20x80'],
    after: '30m',
  },
  {
    alert: 'SuuqAppendsWaiting',
    fires: ['suuq_log_appends_waiting 6000x20'],
    healthy: ['suuq_log_appends_waiting 400x20'],
    after: '5m',
  },
  {
    alert: 'SuuqProjectionStopped',
    fires: ['suuq_projection_stopped{projection="orders"} 1x20'],
    healthy: ['suuq_projection_stopped{projection="orders"} 0x20'],
    after: '5m',
  },
  {
    alert: 'SuuqProjectionDiffers',
    fires: ['suuq_projection_differing_documents{projection="orders"} 2x20'],
    healthy: ['suuq_projection_differing_documents{projection="orders"} 0x20'],
    after: '10m',
  },
  {
    alert: 'SuuqProjectionBehind',
    fires: ['suuq_projection_lag_events{projection="orders"} 1001x20'],
    healthy: [
      'suuq_projection_lag_events{projection="orders"} 12x20',
      'suuq_projection_lag_bytes{projection="stores"} 9000x20',
    ],
    after: '5m',
  },
  {
    alert: 'SuuqProcessorFailed',
    fires: ['suuq_processor_failed{processor="webhooks"} 1x20'],
    healthy: ['suuq_processor_failed{processor="webhooks"} 0x20'],
    after: '5m',
  },
  {
    alert: 'SuuqProcessorBehind',
    fires: ['suuq_processor_lag_bytes{processor="webhooks"} 20000000x40'],
    healthy: ['suuq_processor_lag_events{processor="webhooks"} 4x40'],
    after: '15m',
  },
  {
    alert: 'SuuqShardsUnowned',
    fires: ['suuq_processor_shards{instance="a"} 32x20', 'suuq_processor_shards{instance="b"} 30x20'],
    healthy: ['suuq_processor_shards{instance="a"} 32x20', 'suuq_processor_shards{instance="b"} 32x20'],
    after: '5m',
  },
  {
    alert: 'SuuqEffectsLate',
    fires: ['suuq_processor_overdue_seconds{processor="webhooks"} 0+30x80'],
    healthy: ['suuq_processor_overdue_seconds{processor="webhooks"} 8x80'],
    after: '30m',
  },
  {
    alert: 'SuuqTasksFailing',
    fires: [
      'suuq_processor_task_seconds_count{result="failed"} 0+1x80',
      'suuq_processor_task_seconds_count{result="done"} 0+3x80',
    ],
    healthy: [
      'suuq_processor_task_seconds_count{result="failed"} 0+1x80',
      'suuq_processor_task_seconds_count{result="done"} 0+99x80',
    ],
    after: '30m',
  },
  {
    alert: 'SuuqWebhooksFailing',
    fires: [
      'suuq_webhook_attempt_seconds_count{status="failed"} 0+6x80',
      'suuq_webhook_attempt_seconds_count{status="succeeded"} 0+4x80',
    ],
    healthy: [
      'suuq_webhook_attempt_seconds_count{status="failed"} 0+4x80',
      'suuq_webhook_attempt_seconds_count{status="succeeded"} 0+6x80',
    ],
    after: '30m',
  },
  {
    alert: 'SuuqWebhooksLate',
    fires: [
      'suuq_webhook_wait_seconds_bucket{le="5"} 0+90x80',
      'suuq_webhook_wait_seconds_bucket{le="10"} 0+100x80',
      'suuq_webhook_wait_seconds_bucket{le="+Inf"} 0+100x80',
    ],
    healthy: [
      'suuq_webhook_wait_seconds_bucket{le="5"} 0+100x80',
      'suuq_webhook_wait_seconds_bucket{le="10"} 0+100x80',
      'suuq_webhook_wait_seconds_bucket{le="+Inf"} 0+100x80',
    ],
    after: '30m',
  },
  {
    alert: 'SuuqChannelFailing',
    fires: ['suuq_channel_total{what="sent"} 0+8x80', 'suuq_channel_total{what="send_failed"} 0+2x80'],
    healthy: ['suuq_channel_total{what="sent"} 0+99x80', 'suuq_channel_total{what="send_failed"} 0+1x80'],
    after: '30m',
  },
  {
    alert: 'SuuqProofsBehind',
    fires: ['suuq_proofs_behind_seconds 601+30x60'],
    healthy: ['suuq_proofs_behind_seconds 4x60'],
    after: '20m',
  },
  {
    alert: 'SuuqHeadsUnsigned',
    fires: ['suuq_proofs_unsigned_seconds 601+30x60'],
    healthy: ['suuq_proofs_unsigned_seconds 58x60'],
    after: '20m',
  },
  {
    alert: 'SuuqDiskLow',
    fires: ['suuq_free_bytes{place="data"} 1000000000x30'],
    healthy: ['suuq_free_bytes{place="data"} 50000000000x30'],
    after: '10m',
  },
  {
    alert: 'SuuqDiskFilling',
    fires: ['suuq_free_bytes{place="data"} 50000000000-30000000x200'],
    healthy: ['suuq_free_bytes{place="data"} 50000000000-3000000x200'],
    after: '90m',
  },
  {
    alert: 'SuuqEventLoopLate',
    fires: ['nodejs_eventloop_lag_p99_seconds{job="suuq"} 0.4x40'],
    healthy: ['nodejs_eventloop_lag_p99_seconds{job="suuq"} 0.02x40'],
    after: '15m',
  },
  {
    alert: 'SuuqMemoryGrowing',
    fires: ['process_resident_memory_bytes{job="suuq"} 950000000x60'],
    healthy: ['process_resident_memory_bytes{job="suuq"} 250000000x60'],
    after: '25m',
  },
];
