import { z } from 'zod'
import { id } from '../../core/shape/id.ts'
import { JobError, jobFields, jobStates, listQuery, text } from '../../core/shape/shape.ts'
import { EvaluationExpectation } from './set-shapes.ts'

const [defaultMaxTokens, limitMaxTokens] = [2_000_000, 1_000_000_000]
const [defaultTimeoutMs, minTimeoutMs, limitTimeoutMs] = [120_000, 1_000, 600_000]

export const NewEvaluation = z
  .strictObject({
    agent_id: id('agt'),
    version: z.int().min(1).optional().describe('Default: the active version'),
    evaluation_set_id: id('evs'),
    max_tokens: z
      .int()
      .min(1_000)
      .max(limitMaxTokens)
      .default(defaultMaxTokens)
      .describe('Tokens of all answers and graders, in and out. The evaluation fails when they are used up'),
    timeout_ms: z.int().min(minTimeoutMs).max(limitTimeoutMs).default(defaultTimeoutMs).describe('Time for one answer'),
  })
  .meta({ id: 'NewEvaluation' })

/** `passed`: every check passed. `error`: no answer to check, or no verdict of the grader; it does not pass. */
export const caseOutcomes = ['passed', 'failed', 'error'] as const
export type CaseOutcome = (typeof caseOutcomes)[number]

const EvaluationUsage = z
  .object({
    input_tokens: z.int().describe('Tokens that the models read'),
    output_tokens: z.int().describe('Tokens that the models wrote'),
    total_tokens: z.int().describe('Sum of both'),
  })
  .meta({ id: 'EvaluationUsage' })

const EvaluationSummary = z
  .object({
    cases: z.int().describe('Number of all cases'),
    passed: z.int().describe('Cases whose answer met every check'),
    failed: z.int().describe('Cases whose answer missed a check'),
    errors: z.int().describe('Cases without a judged answer, because the run or the grader failed'),
    pass_rate: z.number().nullable().describe('Share of all cases that passed; null until it has finished'),
    average_ms: z.int().nullable().describe('Mean time of an answer'),
  })
  .meta({ id: 'EvaluationSummary' })

/** A case that keeps a version from becoming the active one. */
export const FailingCase = z
  .object({
    case_id: id('case'),
    name: z.string().describe('Its name, or the beginning of its input'),
    outcome: z
      .enum(caseOutcomes)
      .nullable()
      .describe('How it ended: `failed` by a check, or `error` without a judged answer'),
    regression: z.boolean().describe('It passes with the active version'),
    reason: z.string().describe('Why it did not pass, in words'),
  })
  .meta({ id: 'FailingCase' })
export type FailingCase = z.output<typeof FailingCase>

/** The decision of the gate of an agent about a version. */
export const GateVerdict = z
  .object({
    passes: z.boolean().describe('True if the version may become the active one'),
    reasons: z.array(z.string()).describe('Empty if it passes'),
    evaluation_id: id('eval').nullable().describe('The evaluation that counts; null if there is none'),
    pass_rate: z
      .number()
      .nullable()
      .describe('Share of the cases that passed, from 0 to 1; null without an evaluation that counts'),
    failing_cases: z.array(FailingCase).describe('At most 100'),
  })
  .meta({ id: 'GateVerdict' })
export type GateVerdict = z.output<typeof GateVerdict>

/** An evaluation of a version of an agent with the cases that its set had when it was started. */
export const Evaluation = z
  .object({
    id: id('eval'),
    agent_id: id('agt'),
    version: z.int().describe('Number of the evaluated version of the agent'),
    evaluation_set_id: id('evs'),
    set_revision: z.int().describe('Of the set when it was started'),
    ...jobFields,
    error: JobError.nullable().describe('Why it failed; null unless its status is `failed`'),
    max_tokens: z.int().describe('Tokens of all answers and graders together, at which the evaluation fails'),
    summary: EvaluationSummary,
    usage: EvaluationUsage.describe('Of the cases that have ended'),
    created_by: z.string().describe('The principal that started it'),
  })
  .meta({ id: 'Evaluation' })

/** An evaluation with the verdict of the gate. */
export const EvaluationDetail = Evaluation.extend({
  gate: GateVerdict.nullable().describe(
    'The verdict about the version now; null unless the gate of the agent names this set',
  ),
}).meta({ id: 'EvaluationDetail' })

/** One check of an answer. */
export const EvaluationCheck = z
  .object({
    check: z
      .enum(['answer', 'contains', 'not_contains', 'matches', 'fields', 'grader'])
      .describe('The member of `expected` that was checked'),
    passed: z.boolean().describe('True if the answer meets it'),
    reason: z.string().describe('The difference, or the words of the grader; empty if there is nothing to say'),
  })
  .meta({ id: 'EvaluationCheck' })
export type EvaluationCheck = z.output<typeof EvaluationCheck>

export const EvaluationResult = z
  .object({
    case_id: id('case'),
    name: z.string().nullable().describe('Name of the case; null if it has none'),
    input: z.unknown().describe('The question or object that the agent was given'),
    expected: EvaluationExpectation,
    status: z
      .enum(['pending', 'running', 'finished'])
      .describe('`pending` until the agent is asked, `finished` when the answer is judged'),
    outcome: z
      .enum(caseOutcomes)
      .nullable()
      .describe('`passed`, `failed` by a check, or `error` without a judged answer; null until it has finished'),
    reason: z.string().nullable().describe('Why it did not pass'),
    checks: z.array(EvaluationCheck).describe('Result of each check of `expected`; empty until the answer is judged'),
    answer: z.string().nullable().describe('The first 10,000 characters; the run has the whole answer'),
    refused_tools: z.array(z.string()).describe('Tools that the agent called and that do not act in an evaluation'),
    run_id: id('run').nullable().describe('The run of the agent; null until it has started'),
    usage: EvaluationUsage,
    duration_ms: z
      .int()
      .nullable()
      .describe('Time that the run of the agent took, in milliseconds; null until it has ended'),
  })
  .meta({ id: 'EvaluationResult' })

export const caseChanges = ['worse', 'better', 'equal', 'not_comparable'] as const

const ComparedResult = z
  .object({
    outcome: z
      .enum(caseOutcomes)
      .nullable()
      .describe('Outcome of the case in this evaluation; null if it had not finished'),
    reason: z.string().nullable().describe('Why it did not pass; null if it passed or had not finished'),
    answer: z.string().nullable().describe('First 500 characters of the answer; null if there was none'),
  })
  .nullable()
  .meta({ id: 'ComparedResult', description: 'With the first 500 characters of the answer; null without this case' })

export const ComparedCase = z
  .object({
    case_id: id('case'),
    name: z.string().describe('Name of the case, or the beginning of its input'),
    change: z
      .enum(caseChanges)
      .describe('`not_comparable`: one of the evaluations lacks the case, or it was changed in between'),
    before: ComparedResult,
    after: ComparedResult,
  })
  .meta({ id: 'ComparedCase' })
export type ComparedCase = z.output<typeof ComparedCase>

/** The difference of two evaluations. */
export const EvaluationComparison = z
  .object({
    baseline: Evaluation,
    evaluation: Evaluation,
    counts: z
      .object({
        worse: z.int().describe('Passed in `baseline`, and no longer'),
        better: z.int().describe('Did not pass in `baseline`, and passes now'),
        equal: z.int().describe('Passed in both evaluations, or in none'),
        not_comparable: z.int().describe('Missing in one of the evaluations, or changed in between'),
      })
      .describe('Numbers of cases by their change'),
    cases: z.array(ComparedCase).describe('All cases: the worse ones first, then the better, then the equal'),
  })
  .meta({ id: 'EvaluationComparison' })

export const Activation = z
  .strictObject({
    override: z
      .strictObject({
        reason: text(1_000).describe('Why the version becomes active all the same; kept in the audit log'),
      })
      .optional()
      .describe('Activates it although the gate refuses it; requires `agents:gate`, and is audited'),
  })
  .meta({ id: 'Activation' })

export const evaluationPath = z.object({ id: id('eval') })
export const agentVersionPath = z.object({
  agent_id: id('agt'),
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a version')
    .meta({ description: 'Number of the version', examples: ['2'] }),
})

export const evaluationsQuery = listQuery({
  agent_id: id('agt').optional(),
  version: z.coerce.number<number>().int().min(1).optional().describe('Number of the version'),
  evaluation_set_id: id('evs').optional(),
  status: z.enum(jobStates).optional(),
})
export const resultsQuery = listQuery({
  outcome: z.enum(caseOutcomes).optional().describe('Only cases with this outcome'),
})
export const comparisonQuery = z.strictObject({
  baseline_id: id('eval')
    .optional()
    .describe('Default: the last finished evaluation of the active version with the same set'),
})
