import { z } from 'zod'
import { boundedArray, boundedRecord } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { text, timestamp } from '../../core/shape/shape.ts'
import { ModelProvider } from '../model-shapes.ts'
import { maxInputMembers } from '../trigger-shapes.ts'

/** Cases of an evaluation set. */
export const maxEvaluationCases = 1_000
/** Characters of the file of an import, below the 1 MiB of a request body. */
const maxImportLength = 1_000_000
const [maxInput, maxAnswer, maxFact, maxFacts, maxInstructions] = [20_000, 10_000, 500, 20, 4_000]
const maxInputBytes = 20_000

/** The model that grades answers. `local` answers from data alone and cannot grade. */
const GraderModel = z
  .strictObject({
    provider: ModelProvider.refine((provider) => provider !== 'local', 'must be a language model, not `local`'),
    id: text(200).optional().describe('Default: the first model that the provider lists'),
  })
  .meta({ id: 'GraderModel' })
export type GraderModel = z.output<typeof GraderModel>

const facts = () => boundedArray(text(maxFact), maxFacts, { min: 1 }).optional()

/** The checks of an answer. All of them must pass. */
export const EvaluationExpectation = z
  .strictObject({
    answer: text(maxAnswer)
      .optional()
      .describe(
        'The expected answer. Compared without regard to case, space and the full stop at the end; with a `grader`, the ' +
          'grader compares it by its meaning instead',
      ),
    contains: facts().describe('Facts that the answer states: each text occurs in it, in any case'),
    not_contains: facts().describe('Texts that do not occur in the answer, in any case'),
    matches: text(maxFact)
      .optional()
      .meta({
        description: 'Regular expression in the syntax of RE2, which matches a part of the answer',
        examples: ['(?i)\\b\\d+ desks'],
      }),
    fields: boundedArray(
      z.strictObject({
        pointer: text(200, 0)
          .regex(/^(\/[^/]*)*$/, 'must be a JSON pointer such as /buildings/0/name')
          .describe('JSON pointer (RFC 6901) into the answer; the empty text means all of it'),
        equals: z.unknown().describe('JSON value that must be there'),
      }),
      maxFacts,
      { min: 1 },
    )
      .optional()
      .describe('The answer is JSON with these values, at JSON pointers (RFC 6901)'),
    grader: z
      .strictObject({
        instructions: text(maxInstructions).describe(
          'What makes an answer right, in words for the model that grades it',
        ),
      })
      .optional()
      .describe('A model reads the answer and decides. The evaluation set must have a `grader` model'),
  })
  .refine((expectation) => Object.keys(expectation).length > 0, 'must have at least one check')
  .meta({ id: 'EvaluationExpectation' })
export type EvaluationExpectation = z.output<typeof EvaluationExpectation>

const questionOrFields = z
  .union([text(maxInput), boundedRecord(text(200), z.unknown(), maxInputMembers)])
  .refine((input) => JSON.stringify(input).length <= maxInputBytes + 2, `must have at most ${maxInputBytes} characters`)

const caseInput = () =>
  questionOrFields.describe('A question, or an object that matches the `input_schema` of the agent')

const caseName = () => resourceName(200).nullable().describe('Name for people; null for none')

/** A case as a file has it. */
export const ImportedCase = z.strictObject({
  name: caseName().default(null),
  input: z.nonoptional(caseInput()),
  expected: EvaluationExpectation,
})
export type ImportedCase = z.output<typeof ImportedCase>

export const NewEvaluationCase = z
  .strictObject({
    name: caseName().default(null),
    input: caseInput().optional(),
    run_id: id('run')
      .optional()
      .describe('Takes the input of this run and, unless `expected` says otherwise, its answer as the expected one'),
    expected: EvaluationExpectation.optional(),
  })
  .refine(({ input, run_id }) => (input === undefined) !== (run_id === undefined), {
    path: ['input'],
    message: 'send either input or run_id',
  })
  .refine(({ run_id, expected }) => run_id !== undefined || expected !== undefined, {
    path: ['expected'],
    message: 'is required without run_id',
  })
  .meta({ id: 'NewEvaluationCase' })

export const EvaluationCasePatch = z
  .strictObject({
    name: caseName().optional(),
    input: caseInput().optional(),
    expected: EvaluationExpectation.optional(),
  })
  .meta({ id: 'EvaluationCasePatch' })

export const EvaluationCase = z
  .object({
    id: id('case'),
    evaluation_set_id: id('evs'),
    name: z.string().nullable().describe('Name for people; null if it has none'),
    input: z.unknown().describe('The question or object that the agent is given'),
    expected: EvaluationExpectation,
    run_id: id('run').nullable().describe('The run whose answer it was made from'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'EvaluationCase' })

const setFields = {
  description: text(2_000, 0).describe('What the set tests, for people'),
  grader: GraderModel.nullable().describe(
    'The model for cases with a `grader`. Another model than that of the agent judges more fairly',
  ),
}

export const NewEvaluationSet = z
  .strictObject({
    name: resourceName(200).describe('Name of the set, for people'),
    description: setFields.description.default(''),
    grader: setFields.grader.default(null),
  })
  .meta({ id: 'NewEvaluationSet' })

export const EvaluationSetPatch = z
  .strictObject({
    name: resourceName(200).optional().describe('Another name of the set'),
    description: setFields.description.optional(),
    grader: setFields.grader.optional(),
  })
  .meta({ id: 'EvaluationSetPatch' })

export const EvaluationSet = z
  .object({
    id: id('evs'),
    name: z.string().describe('Name of the set, for people'),
    ...setFields,
    cases: z.int().describe('Number of cases'),
    revision: z.int().describe('Grows with each change of a case or of the grader'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'EvaluationSet' })

export const evaluationCaseFormats = ['jsonl', 'csv'] as const
export type EvaluationCaseFormat = (typeof evaluationCaseFormats)[number]

export const EvaluationImport = z
  .strictObject({
    format: z
      .enum(evaluationCaseFormats)
      .describe(
        '`jsonl`: a case a line, with `name`, `input` and `expected`. `csv`: with a header; columns `name`, `input`, ' +
          '`answer`, `contains` and `not_contains` (separated by `|`), `matches`, `fields` (JSON) and `grader`',
      ),
    content: text(maxImportLength).describe('The cases as text in this format, up to 1,000,000 characters'),
    replace: z.boolean().default(false).describe('Removes the cases that the set has before'),
  })
  .meta({ id: 'EvaluationImport' })

export const EvaluationImportResult = z
  .object({ imported: z.int().describe('Number of cases that were added'), set: EvaluationSet })
  .meta({ id: 'EvaluationImportResult' })

export const evaluationSetPath = z.object({ id: id('evs') })
export const evaluationCasesPath = z.object({ evaluation_set_id: id('evs') })
export const evaluationCasePath = z.object({ evaluation_set_id: id('evs'), id: id('case') })
