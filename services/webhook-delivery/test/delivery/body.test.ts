import { describe, expect, it } from '@jest/globals'
import { serializeBody } from '../../src/delivery/body.ts'

const base = 'https://api.example.com'
const requestId = 'dlv_01h455vb4pex5vsknk084sn02q'
const run = 'fr_01h455vb4pex5vsknk084sn02q'
const event = (data: Record<string, unknown>) => ({
  kind: 'FORECASTING_FINISHED',
  workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
  occurred_at: '2026-01-05T09:30:00.000Z',
  data,
})
const frozen = (data: Record<string, unknown>) => serializeBody(event(data), requestId, base)
const payload = (body: Buffer) => JSON.parse(body.toString()).payload
const truncated = (url: string, id: string) => ({
  id,
  status: 'finished',
  occurred_at: '2026-01-05T09:30:00.000Z',
  truncated: true,
  url,
})

describe('the body of a delivery', () => {
  it('is whole up to 256 KiB, and beyond it says where the rest is', () => {
    const around = frozen({ id: run, status: 'finished', text: '' }).length
    const fits = frozen({ id: run, status: 'finished', text: 'x'.repeat(262_144 - around) })
    expect(fits).toHaveLength(262_144)
    expect(payload(fits)).toMatchObject({ text: expect.any(String) })
    const beyond = frozen({ id: run, status: 'finished', text: 'x'.repeat(262_145 - around) })
    expect(JSON.parse(beyond.toString())).toEqual({
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
    // What has no address of its own.
    ['something else', `/v1/webhooks/deliveries/${requestId}`],
  ])('about %s leads to %s', (id, path) => {
    const text = 'x'.repeat(300_000)
    expect(payload(frozen({ id, status: 'finished', text }))).toEqual(truncated(base + path, id))
  })

  it('says so, too, of what was too large for the broker before', () => {
    const url = `${base}/v1/solutions/workplace/forecast/runs/${run}`
    expect(payload(frozen({ id: run, status: 'finished', truncated: true }))).toEqual(truncated(url, run))
  })
})
