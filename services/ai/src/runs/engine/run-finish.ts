import type { RunFinishReason } from '@wp/contracts'
import { storableText } from '../../store/storable-json.ts'
import type { SpentBudget } from '../budgets.ts'
import type { RunWarning } from '../run-input.ts'
import { runLimits } from './limits.ts'
import type { StepEnd } from './model-step.ts'

/** The end of a run that finished. */
export interface RunFinish {
  finishReason: RunFinishReason
  /** One for each reason why the answer is not whole. */
  warnings: RunWarning[]
}

interface FinishOptions {
  /** The budget that is used up, so that the run takes no further step. */
  spent: SpentBudget | undefined
  /** True if the model called a tool of the client, who goes on with a request of its own. */
  isHandedOver: boolean
  maxSteps: number
}

/**
 * Returns the reason of the end of a run, by its last model call, if there was one, with a warning for every answer
 * that is not whole.
 */
export function finishOf(lastEnd: StepEnd | undefined, { spent, isHandedOver, maxSteps }: FinishOptions): RunFinish {
  if (isHandedOver) return { finishReason: 'tool_calls', warnings: [] }
  if (spent !== undefined || lastEnd === undefined) {
    const { message = 'No step was taken', isUnpriced = false } = spent ?? {}
    const code = isUnpriced ? 'budget_without_price' : 'budget_reached'
    return {
      finishReason: 'budget',
      warnings: [{ code, message: `${message}, so the run ended before its next step` }],
    }
  }
  const { hasText, ...end } = lastEnd
  const finishReason = reasons[end.finishReason] ?? 'other'
  const warning = warningOf(finishReason, end, maxSteps)
  const isWithoutAnswer = !hasText && finishReason !== 'tool_calls'
  return {
    finishReason,
    warnings: [...(warning === undefined ? [] : [warning]), ...(isWithoutAnswer ? [noAnswer] : [])],
  }
}

const reasons: Readonly<Record<string, RunFinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
}

const noAnswer: RunWarning = {
  code: 'no_answer',
  message: 'The model wrote no answer, at most reasoning; ask again, or raise `max_output_tokens`',
}

/** Longest name of an unknown reason that is shown. */
const maxRawReason = 50

function warningOf(
  reason: RunFinishReason,
  { isCutByLimit, rawFinishReason }: Pick<StepEnd, 'isCutByLimit' | 'rawFinishReason'>,
  maxSteps: number,
): RunWarning | undefined {
  if (isCutByLimit)
    return { code: 'output_truncated', message: `The answer was ended after ${runLimits.outputLength} characters` }
  switch (reason) {
    case 'stop':
    case 'budget':
      return undefined
    case 'length':
      return {
        code: 'output_truncated',
        message: 'The model reached its limit of tokens, so the answer is incomplete; raise `max_output_tokens`',
      }
    case 'content_filter':
      return {
        code: 'content_filtered',
        message: 'A content filter of the provider ended the answer, so it may be incomplete',
      }
    case 'tool_calls':
      return {
        code: 'max_steps_reached',
        message: `The run ended after ${maxSteps} calls of the model; raise \`max_steps\` to allow more`,
      }
    case 'other': {
      const name = rawFinishReason === undefined ? '' : ` (${storableText(rawFinishReason).slice(0, maxRawReason)})`
      return {
        code: 'unknown_finish_reason',
        message: `The provider ended the answer for an unknown reason${name}, so it may be incomplete`,
      }
    }
  }
}
