import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { type ProviderQuirkName, providerQuirks } from '@wp/testkit'
import { startRunHarness } from '../fixture/run-harness.ts'

/** The end of a run: an error with a part of its message, or its answer and the inputs of its searches. */
type Expected =
  | { error: 'model_unavailable' | 'model_rejected'; message: string }
  | { output: string; reason?: string; warnings?: string[]; estimated?: boolean; inputs?: unknown[]; failed?: boolean }

const answer: Expected = { output: 'Answer' }
const estimated: Expected = { output: 'Answer', estimated: true }
const one = [{ query: 'one' }]
const both = [{ query: 'one' }, { query: 'two' }]
const unavailable = (message: string): Expected => ({ error: 'model_unavailable', message })
const rejected = (message: string): Expected => ({ error: 'model_rejected', message })
const cut: Expected = { output: 'Half', reason: 'length', warnings: ['output_truncated'], estimated: true }
const called = (inputs: unknown[]): Expected => ({ output: 'Answer', inputs, estimated: true })

/** The same table as in docs/foreign-answers.md. */
const outcomes: Record<ProviderQuirkName, Expected> = {
  usageWithoutChoices: answer,
  filterResults: estimated,
  maxCompletionTokens: answer,
  streamOptions: estimated,
  temperature: rejected("'temperature' does not support 0.3"),
  noCredit: rejected('its account has no credit'),
  paymentRequired: rejected('its account has no credit'),
  exactPause: answer,
  contextLength: rejected('maximum context length is 4096 tokens'),
  contextLengthInList: rejected('token count exceeds'),
  notPulled: rejected('try pulling it first'),
  loading: answer,
  comments: estimated,
  lineEnds: estimated,
  noDone: estimated,
  errorInStream: unavailable('upstream failed'),
  errorReason: unavailable('the answer ended with an error'),
  errorText: unavailable('an error was encountered'),
  errorObject: unavailable('engine died'),
  errorWithStatus200: unavailable('upstream is busy'),
  noStream: answer,
  documentCut: unavailable('invalid or incomplete'),
  emptyReason: unavailable('invalid or incomplete'),
  upperCaseReason: cut,
  modelLength: cut,
  endTurn: estimated,
  otherRole: estimated,
  contentParts: estimated,
  reasoningContent: estimated,
  callWithStop: called(one),
  callObject: called(one),
  callWithoutIds: called(both),
  callSameIndex: called(both),
  callSameId: called(both),
  callSameIndexInParts: called(both),
  callNameRepeated: called(one),
  callWithoutArguments: called([{}]),
  callCut: { output: 'Answer', inputs: [{}], failed: true, estimated: true },
  legacyCall: called(one),
}

const harness = await startRunHarness()
const model = { provider: 'default', max_output_tokens: 99, temperature: 0.3 }
const agent = await harness.agent({ model, tools: ['list_sources', 'search_data'] })
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const cases = Object.entries(outcomes).map(([key, expected]) => {
  const name = key as ProviderQuirkName // a key of the table above
  return { name, expected, ...providerQuirks[name] }
})

describe('a run of an agent', () => {
  it.each(cases)('ends right or with the reason when $server $description', async ({ expected, replies }) => {
    harness.model.reply(...replies.slice(0, -1))
    harness.model.replyAlways(replies.at(-1) ?? {})
    const { body } = await harness.run(agent)
    const run = body.data
    if ('error' in expected) {
      const { error: code, message } = expected
      expect(run).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining(message) } })
      return
    }
    const { output, reason = 'stop', warnings = [], estimated: isEstimated = false, inputs = [], failed } = expected
    expect(run).toMatchObject({ status: 'finished', error: null, output, finish_reason: reason })
    expect(run.usage.estimated).toBe(isEstimated)
    expect(run.warnings.map(({ code }: { code: string }) => code)).toEqual(warnings)
    expect(run.steps.map(({ input }: { input: unknown }) => input)).toEqual(inputs)
    const status = failed === true ? 'failed' : 'finished'
    expect(run.steps.map((step: { status: string }) => step.status)).toEqual(inputs.map(() => status))
  })

  it('sends the same limit under the name that the model knows', async () => {
    harness.model.reply(...providerQuirks.maxCompletionTokens.replies)
    await harness.run(agent)
    const [first, second] = harness.model.requests.map(({ body }) => body)
    expect(first).toMatchObject({ max_tokens: 99, temperature: 0.3 })
    expect(second).toMatchObject({ max_completion_tokens: 99, temperature: 0.3 })
    expect(second).not.toHaveProperty('max_tokens')
  })

  it('does not ask an account without credit again', async () => {
    harness.model.replyAlways(providerQuirks.noCredit.replies[0])
    await harness.run(agent)
    expect(harness.model.requests).toHaveLength(1)
  })
})
