import { describe, expect, it } from '@jest/globals'
import { serializeBody } from '../../../src/delivery/request/body.ts'

const base = 'https://api.example.com'
const requestId = 'dlv_01h455vb4pex5vsknk084sn02q'
const run = 'fr_01h455vb4pex5vsknk084sn02q'
const event = (data: Record<string, unknown>) => ({
  kind: 'FORECASTING_FINISHED',
  workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
  occurred_at: '2026-01-05T09:30:00.000Z',
  data,
})
const serialize = (data: Record<string, unknown>) => serializeBody(event(data), requestId, base)
const payload = (body: Buffer) => JSON.parse(body.toString()).payload
const truncated = (url: string, id: string) => ({
  id,
  status: 'finished',
  occurred_at: '2026-01-05T09:30:00.000Z',
  truncated: true,
  url,
})

describe('serializeBody', () => {
  it('keeps the payload up to 256 KiB and replaces a larger one by the URL of its resource', () => {
    const overhead = serialize({ id: run, status: 'finished', text: '' }).length
    const fits = serialize({ id: run, status: 'finished', text: 'x'.repeat(262_144 - overhead) })
    expect(fits).toHaveLength(262_144)
    expect(payload(fits)).toMatchObject({ text: expect.any(String) })
    const tooLarge = serialize({ id: run, status: 'finished', text: 'x'.repeat(262_145 - overhead) })
    expect(JSON.parse(tooLarge.toString())).toEqual({
      event: 'FORECASTING_FINISHED',
      workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
      request_id: requestId,
      payload: truncated(`${base}/v1/solutions/workplace/forecast/runs/${run}`, run),
    })
  })

  it.each([
    ['src_01h455vb4pex5vsknk084sn02q', '/v1/data/sources/src_01h455vb4pex5vsknk084sn02q'],
    ['wh_01h455vb4pex5vsknk084sn02q', '/v1/webhooks/webhooks/wh_01h455vb4pex5vsknk084sn02q'],
    ['sync_01h455vb4pex5vsknk084sn02q', '/v1/data/syncs/sync_01h455vb4pex5vsknk084sn02q'],
    ['usr_01h455vb4pex5vsknk084sn02q', '/v1/auth/admin/users/usr_01h455vb4pex5vsknk084sn02q'],
    // A resource without a URL.
    ['something else', `/v1/webhooks/deliveries/${requestId}`],
  ])('replaces a large payload about %s by the URL %s', (id, path) => {
    const text = 'x'.repeat(300_000)
    expect(payload(serialize({ id, status: 'finished', text }))).toEqual(truncated(base + path, id))
  })

  it('adds the URL when the payload was already too large for the broker', () => {
    const url = `${base}/v1/solutions/workplace/forecast/runs/${run}`
    expect(payload(serialize({ id: run, status: 'finished', truncated: true }))).toEqual(truncated(url, run))
  })

  it('writes four fields, and a payload that starts with id, status and time', () => {
    const failedSync = {
      kind: 'DATA_SYNC_FAILED',
      workspace_id: 'ws_1',
      occurred_at: '2026-01-05T09:30:00.000Z',
      data: { error: { code: 'auth' }, status: 'failed', id: 'sync_1' },
    }
    expect(serializeBody(failedSync, 'dlv_1', base).toString()).toBe(
      '{"event":"DATA_SYNC_FAILED","workspace_id":"ws_1","request_id":"dlv_1",' +
        '"payload":{"id":"sync_1","status":"failed","occurred_at":"2026-01-05T09:30:00.000Z","error":{"code":"auth"}}}',
    )
  })
})
