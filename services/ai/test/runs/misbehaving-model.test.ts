import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { type ModelMisbehaviourName, modelMisbehaviours } from '@wp/testkit'
import { startRunHarness } from '../fixture/run-harness.ts'

/** The end of a run: an error code, or its output, finish reason and warnings. */
type Expected =
  | string
  | { output: string | null; reason?: string; warnings?: string[]; estimated?: boolean; steps?: string[] }

const answer = { output: 'Answer' }
const estimated = { output: 'Answer', estimated: true }
/** A call that fails is told to the model, which then answers. */
const failedCall = { output: 'Answer', steps: ['failed'] }

/** The same table as in docs/foreign-answers.md. */
const outcomes = {
  connectionClose: 'model_unavailable',
  connectionReset: 'model_unavailable',
  connectionSilence: 'model_unavailable',
  statusUnauthorized: 'model_rejected',
  statusNotFound: 'model_rejected',
  statusRedirect: 'model_rejected',
  statusLongPause: 'model_unavailable',
  statusOddPause: 'model_unavailable',
  streamHtml: 'model_unavailable',
  streamNoJson: 'model_unavailable',
  streamEmpty: 'model_unavailable',
  streamCut: 'model_unavailable',
  streamStall: 'model_unavailable',
  streamError: 'model_unavailable',
  streamNoEnd: 'model_unavailable',
  textNul: answer,
  textHalfPair: { output: 'Answer\ufffd' },
  textSplitPair: { output: 'Answer 😀' },
  textTwoChoices: estimated,
  textThinking: answer,
  textThinkingWithoutBegin: answer,
  textHuge: { output: 'x'.repeat(205_000), reason: 'length', warnings: ['output_truncated'], estimated: true },
  textOnlyReasoning: { output: null, warnings: ['no_answer'] },
  textNothing: { output: null, warnings: ['no_answer'] },
  callUnknown: failedCall,
  callNoJson: failedCall,
  callNul: { output: 'Answer', steps: ['finished'] },
  callDeep: failedCall,
  callLong: failedCall,
  callMany: { output: 'Answer', steps: [...Array(16).fill('finished'), ...Array(24).fill('failed')] },
  endLength: { output: 'Half', reason: 'length', warnings: ['output_truncated'] },
  endFilter: { output: 'Half', reason: 'content_filter', warnings: ['content_filtered'] },
  endUnknown: { output: 'Half', reason: 'other', warnings: ['unknown_finish_reason'] },
  usageNull: estimated,
  usageNullMembers: estimated,
  usageFloat: estimated,
  usageNegative: estimated,
  usageHuge: estimated,
  usageText: estimated,
  usageArray: estimated,
  usageZero: estimated,
} satisfies Record<ModelMisbehaviourName, Expected>

const harness = await startRunHarness({}, { MODEL_STALL_SECONDS: '3' })
const agent = await harness.agent({ tools: ['list_sources', 'search_data'] })
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const cases = Object.entries<Expected>(outcomes).map(([key, expected]) => {
  const name = key as ModelMisbehaviourName // a key of the table above
  const { step, description } = modelMisbehaviours[name]
  const end =
    typeof expected === 'string' ? `fails with ${expected}` : `is finished ${JSON.stringify(expected).slice(0, 80)}`
  return { name, expected, step, description, end }
})

describe('a run of an agent', () => {
  it.each(cases)('$end when the model, at $step: $description', async ({ name, expected }) => {
    const { reply, step } = modelMisbehaviours[name]
    if (step === 'tool call') harness.model.reply(reply, { text: 'Answer' })
    else harness.model.replyAlways(reply)
    const { body } = await harness.run(agent)
    const run = body.data
    if (typeof expected === 'string') {
      expect(run).toMatchObject({ status: 'failed', finish_reason: null, error: { code: expected } })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      expect(run.error.message).not.toMatch(/[\u0000-\u001f]|\ufffd{2}/)
      return
    }
    const { output, reason = 'stop', warnings = [], estimated: isEstimated = false, steps = [] } = expected
    expect(run).toMatchObject({
      status: 'finished',
      error: null,
      output,
      finish_reason: reason,
      usage: { estimated: isEstimated },
    })
    expect(run.warnings.map(({ code }: { code: string }) => code)).toEqual(warnings)
    expect(run.steps.map(({ status }: { status: string }) => status)).toEqual(steps)
    expect(run.usage.input_tokens).toBeGreaterThan(0)
    // An answer, or reasoning, was written and costs something.
    if (name !== 'textNothing') expect(run.usage.output_tokens).toBeGreaterThan(0)
  })
})
