import { describe, expect, it } from '@jest/globals'
import { createSendWindows } from '../../../src/worker/attempt/send-window.ts'

/** Sends requests to an endpoint that takes `responseMs` for each. */
function startSending(responseMs: number) {
  let nowMs = 0
  const sendInWindow = createSendWindows(() => nowMs)
  const unanswered: (() => void)[] = []
  return {
    unanswered,
    send: (webhookId: string) => sendInWindow(webhookId, () => new Promise<void>((done) => unanswered.push(done))),
    answerAll() {
      nowMs += responseMs
      for (const done of unanswered.splice(0)) done()
    },
  }
}

const ids = (count: number): string[] => Array.from({ length: count }, () => 'wh_1')

describe('requests to an endpoint', () => {
  it('start five at a time when it answers within milliseconds', async () => {
    const { send, unanswered, answerAll } = startSending(1)
    const sent = ids(12).map(send)
    expect(unanswered).toHaveLength(5)
    void send('wh_2')
    expect(unanswered).toHaveLength(6)
    answerAll()
    await Promise.all(sent.slice(0, 5))
    expect(unanswered).toHaveLength(5)
    answerAll()
    await Promise.all(sent.slice(0, 10))
    answerAll()
    await Promise.all(sent)
  })

  it('start all at once when it is slow', async () => {
    const { send, unanswered, answerAll } = startSending(500)
    const sent = ids(12).map(send)
    answerAll()
    await Promise.all(sent.slice(0, 5))
    expect(unanswered).toHaveLength(7)
    answerAll()
    await Promise.all(sent)
  })

  it('start after a pause when those before are not answered', async () => {
    const { send, unanswered, answerAll } = startSending(1)
    const last = ids(6).map(send).at(-1)
    const started = Promise.withResolvers<void>()
    const watch = () => (unanswered.length === 6 ? started.resolve() : void setImmediate(watch))
    watch()
    await started.promise
    answerAll()
    await last
  })
})
