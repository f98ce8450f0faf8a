/** The body of a typical delivery. */
export const sampleBody = JSON.stringify({
  event: 'RECOMMENDATION_CREATED',
  workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
  request_id: 'dlv_01h455vb4pex5vsknk084sn02q',
  payload: {
    id: 'rec_01h455vb4pex5vsknk084sn02q',
    status: 'open',
    occurred_at: '2026-01-01T00:00:00.000Z',
    forecast_run_id: 'fr_01h455vb4pex5vsknk084sn02q',
    kind: 'capacity',
    title: 'x'.repeat(200),
  },
})

/** The headers of a typical delivery. The signatures are not valid but have the right length. */
export const sampleHeaders: Record<string, string> = {
  'content-type': 'application/json',
  'user-agent': 'WorkspacePlatform-Webhooks/1.0',
  'x-webhook-event': 'RECOMMENDATION_CREATED',
  'x-webhook-request-id': 'dlv_01h455vb4pex5vsknk084sn02q',
  'x-webhook-event-id': 'evt_01h455vb4pex5vsknk084sn02q',
  'x-webhook-attempt': '1',
  'x-webhook-signature': '0'.repeat(64),
  'webhook-id': 'dlv_01h455vb4pex5vsknk084sn02q',
  'webhook-timestamp': '1767225600',
  'webhook-signature': `v1,${'0'.repeat(44)}`,
  'accept-encoding': 'identity',
}
