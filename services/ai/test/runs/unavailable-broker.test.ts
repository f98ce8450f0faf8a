import { afterAll, describe, expect, it } from '@jest/globals'
import { startNats } from '@wp/testkit'
import { chunksOf, collectSse } from '../fixture/read-sse.ts'
import { runPath, startRunHarness } from '../fixture/run-harness.ts'

const nats = await startNats()
const harness = await startRunHarness({ natsUrl: nats.url, services: ['auth', 'ai'] })
afterAll(async () => {
  await harness.stop()
  await nats.stop()
})

describe('a run while the broker is unavailable', () => {
  it('streams, ends and records its use', async () => {
    const agent = await harness.agent()
    await nats.stop()
    harness.model.reply({ text: ['Without', ' broker.'] })
    const body = { input: 'How many?', stream: true }
    const { events } = await harness.open(runPath(agent), { method: 'POST', body })
    const received = await collectSse(events)
    const chunks = chunksOf(received)
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' })
    expect(received.at(-1)?.data).toBe('[DONE]')
    const run = await harness.waitForEnd(chunks[0].messageId)
    expect(run).toMatchObject({ status: 'finished', output: 'Without broker.' })
    expect(await harness.events(run.id)).toHaveLength(4)
  })
})
