import { describe, expect, test } from '@jest/globals'
import {
  type Answer,
  applyChunk,
  type Chunk,
  decideCall,
  emptyAnswer,
  isWaiting,
  textOfAnswer,
} from '../../../../web/src/agents/answer/message-stream.ts'

const answerOf = (...chunks: Chunk[]): Answer => chunks.reduce(applyChunk, emptyAnswer)
const start: Chunk = { type: 'start', messageId: 'run_1' }
const call: Chunk = {
  type: 'tool-input-available',
  toolCallId: 'call_1',
  toolName: 'search_data',
  input: { query: 'x' },
}
const callOf = ({ parts }: Answer) => parts.flatMap((part) => (part.type === 'tool' ? [part.call] : []))[0]

describe('applyChunk', () => {
  test('keeps text and tool calls in the order of the stream', () => {
    const answer = answerOf(
      start,
      { type: 'start-step' },
      { type: 'text-start', id: 'text-0' },
      { type: 'text-delta', id: 'text-0', delta: 'First ' },
      { type: 'text-end', id: 'text-0' },
      call,
      { type: 'tool-output-available', toolCallId: 'call_1', output: { hits: [] } },
      { type: 'finish-step' },
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: 'then ' },
      { type: 'text-delta', id: 'text-1', delta: 'this.' },
    )
    expect(answer.runId).toBe('run_1')
    expect(answer.parts.map((part) => (part.type === 'text' ? part.text : part.call.tool))).toEqual([
      'First ',
      'search_data',
      'then this.',
    ])
    expect(textOfAnswer(answer)).toBe('First then this.')
    expect(callOf(answer)).toMatchObject({ status: 'finished', input: { query: 'x' }, output: { hits: [] } })
  })

  test('appends a text to the last part when its id is used again', () => {
    const answer = answerOf(
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'a' },
      call,
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'b' },
    )
    expect(answer.parts.map((part) => (part.type === 'text' ? part.text : ''))).toEqual(['a', '', 'b'])
  })

  test('waits while a call needs an approval, and goes on when it was decided', () => {
    const waiting = answerOf(start, call, { type: 'tool-approval-request', approvalId: 'call_1', toolCallId: 'call_1' })
    expect(isWaiting(waiting)).toBe(true)
    const approved = decideCall(waiting, 'call_1', true)
    expect(isWaiting(approved)).toBe(false)
    expect(callOf(decideCall(waiting, 'call_1', false))?.status).toBe('denied')
    expect(callOf(applyChunk(waiting, { type: 'tool-output-denied', toolCallId: 'call_1' }))?.status).toBe('denied')
    expect(callOf(applyChunk(waiting, { type: 'abort' }))?.status).toBe('cancelled')
  })

  test('keeps the result of a call that arrived before the decision was confirmed', () => {
    const ended = answerOf(start, call, { type: 'tool-output-available', toolCallId: 'call_1', output: 1 })
    expect(callOf(decideCall(ended, 'call_1', true))?.status).toBe('finished')
  })

  test('records usage and the end of a finished run', () => {
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3, estimated: false }
    const answer = answerOf(start, { type: 'finish', messageMetadata: { run_id: 'run_1', usage } })
    expect(answer).toMatchObject({ status: 'finished', usage })
  })

  test('separates code and message of a failed run and interrupts its open calls', () => {
    const answer = answerOf(start, call, { type: 'error', errorText: 'model_rejected: the key: is wrong' })
    expect(answer.error).toEqual({ code: 'model_rejected', message: 'the key: is wrong' })
    expect(callOf(answer)?.status).toBe('interrupted')
    expect(answerOf({ type: 'error', errorText: 'Something broke' }).error).toEqual({
      code: 'unknown',
      message: 'Something broke',
    })
  })

  test('sorts citations by their number and keeps each once', () => {
    const citation = (index: number) => ({
      type: 'data-citation',
      id: `citation-${index}`,
      data: { index, title: 't' },
    })
    expect(answerOf(citation(2), citation(1), citation(2)).citations.map(({ index }) => index)).toEqual([1, 2])
  })

  test('ignores chunks of unknown types', () => {
    expect(applyChunk(emptyAnswer, { type: 'data-of-a-later-version' })).toBe(emptyAnswer)
  })
})
