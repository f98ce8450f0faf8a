/**
 * The meaning of every metric, and what to do about it: the HELP text that `/metrics` shows, and the table in
 * docs/metrics.md. Durations are in seconds; names that end in `_total` only ever grow, until a process restarts.
 */
export const metricDescriptions: Readonly<Record<string, string>> = {
  edge_request_seconds:
    'Requests at the edge, from their arrival until the response has ended, by endpoint and status. The figures that clients see: if they rise, compare http_request_seconds of the service behind the endpoint',
  edge_refusals:
    'Requests that the edge answered itself with an error, by code. Many 401 or 403 mean a client with a wrong credential, 429 one beyond its limit, 503 a service that is away',
  edge_retries:
    'Requests sent to a service once more because a kept-alive connection broke. Normal while services restart',
  edge_circuit:
    'State of the circuit breaker of an upstream: 0 closed, 1 half open, 2 open. If open, the service does not answer: look at its pods',
  edge_peers:
    'Other live edges that share the rate limits. If it differs from replicas - 1, edges do not hear each other: look at the broker',
  edge_cached_identities: 'Identities in the cache of the edge. If it stays at IDENTITY_CACHE_ENTRIES, raise that',
  edge_identity_log_reads:
    'Reads of the change log of auth, by result. If many fail, revocations arrive later: look at auth',
  edge_audit_dropped:
    'Refusals that did not reach the audit log because the queue was full. The broker was away too long',
  edge_audit_published: 'Refusals sent to the audit log',
  edge_audit_waiting: 'Refusals that wait for the broker. If it grows, the broker is away',
  edge_workspace_requests:
    'Requests of the 20 busiest workspaces in the last full minute, by workspace and outcome: answered, limited (over a rate limit), failed. If one stands out, see the runbook A workspace that misbehaves',
  edge_request_log_dropped:
    'Requests missing in the request log: their workspace has more than 50 in two seconds, or the audit service failed',
  edge_usage_dropped:
    'Requests that were not counted for billing because the queue was full. The broker was away too long',
  edge_usage_published: 'Counts of requests sent to billing',
  edge_usage_waiting: 'Counts of requests that wait for the broker. If it grows, the broker is away',
  http_request_seconds:
    'Requests in a service, until the response begins, by endpoint and status. If it rises: database_pool_waiting, then the processor, then the services it calls',
  bus_connected:
    '1 while the process is connected to the broker of a shard. If 0 for more than a minute, see the runbook Broker lost',
  outbox_oldest_seconds:
    'Age of the oldest event that is committed but not published. Events and webhooks are late by that: the broker is away, or refuses events',
  outbox_published_total: 'Events published to the broker of a shard',
  events_handled_total: 'Events that a consumer took, by outcome: handled, seen (a duplicate), failed (tried again)',
  events_handling_seconds: 'Transactions in which a consumer handles events. If it rises, its database is slow',
  events_pending:
    'Events of the stream that a consumer has not taken yet. If it grows, the consumer is too slow or paused: add replicas, read its log',
  events_deferred_total:
    'Events set aside because their workspace had its share of the events in progress. A burst of one workspace',
  events_dead_total:
    'Events that failed five times and wait as dead letters. Correct the cause, then run npm run events:redrive',
  events_refused_total:
    'Events that their consumer did not accept from their producer. A process publishes under the name of another: find out which',
  workspace_deletion_rows_total: 'Rows deleted with their workspace, by table',
  retention_removed_total:
    'Rows deleted because of their age, by table. If it stays at 0, the retention does not run and tables grow',
  jobs_waiting:
    'Jobs of a queue that are due and wait for a slot. If it stays above 0, add replicas or raise the concurrency',
  jobs_oldest_waiting_seconds:
    'Time that the longest waiting job of a queue has been due. Users wait so long for their job to begin',
  jobs_start_delay_seconds:
    'Time from when a job was due until its first attempt began. If it rises, add replicas or raise the concurrency of the queue',
  jobs_running: 'Jobs that this process is working on',
  jobs_ended_total:
    'Attempts of jobs, by queue and outcome. failed: read the log by job; lease_lost: a process died or lost its database',
  jobs_seconds: 'Attempts of jobs, from the claim to the written result',
  jobs_preempted_total: 'Jobs interrupted because another workspace needed their slot. They are continued',
  mails_total: 'Mails by outcome. refused, postponed or uncertain: look at the mail server',
  notifications_sent_total: 'Notifications by channel and outcome',
  sealed_under_previous_key: 'Secrets still encrypted with KEK_PREVIOUS, by kind. Remove that key only when all are 0',
  database_pool_size: 'Connections a pool may open',
  database_pool_in_use: 'Connections of a pool in use',
  database_pool_waiting:
    'Reads and transactions that wait for a connection of a pool. If it stays above 0, statements are slow or the pool is too small: see Database connections in docs/deploy.md',
  webhook_attempts_total:
    'Attempts of webhook deliveries, by outcome and kind of error. Failures of one receiver are its own; of all receivers, those of the network or the certificates here',
  webhook_event_to_hit_seconds:
    'Time from the commit of an event until its first webhook was sent. Late deliveries: outbox_oldest_seconds, events_pending, webhook_deliveries_due, in this order',
  webhook_deliveries_due:
    'Deliveries that are due now and not in flight. If it grows, add replicas of webhook-delivery',
  webhook_attempts_in_flight: 'Attempts that this process waits for',
  webhook_endpoints_held:
    'Endpoints with due deliveries that are not sent to, by reason: a circuit breaker, or disabled',
  webhook_leases_released_total:
    'Leases of deliveries and jobs of a process that died, which others took over. If it grows, look why processes of webhook-delivery are killed: memory, for example',
  event_destination_records_total: 'Records of event destinations, by result: written, or left out',
  event_destination_failures_total: 'Failed writes to event destinations, by error code',
  webhook_deliveries_removed_total: 'Deliveries deleted because of their age',
  audit_appended_total: 'Records appended to the audit log',
  audit_refused_total:
    'Events that are not valid audit records, by producer. A release of a service is at fault: they are dead letters',
  audit_exports_removed_total: 'Exports of the audit log deleted because of their age',
  auth_removed_total: 'Expired rows that auth deleted, by table',
  auth_refresh_token_reuses_total:
    'Refresh tokens used twice, whose sessions were ended. Single ones are clients that retry; many are stolen tokens',
  invoices_failed_total: 'Invoices that could not be issued. Read the log by workspace',
  payments_unmatched_total: 'Payments without an invoice. Assign them by hand',
  data_embedded_chunks_total: 'Chunks of records embedded',
  data_embedding_failures_total: 'Requests for embeddings that failed, by kind of error: the provider or its key',
  data_search_changes_waiting:
    'Changed records that the search index does not have yet. If it grows, OpenSearch is away or too slow',
  data_search_fallbacks_total: 'Searches that PostgreSQL answered because OpenSearch did not: look at its nodes',
  data_search_indexed_total: 'Changed records written to the search index',
  data_search_rejected_total: 'Records that OpenSearch refused, which only PostgreSQL finds. Read the log of data',
  trace_spans_exported_total: 'Spans sent to the collector',
  trace_spans_dropped_total:
    'Spans lost, by reason: queue_full, or export_failed because the collector is away. Requests are not affected',
}
