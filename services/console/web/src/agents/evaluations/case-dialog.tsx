import type { EvaluationCase, EvaluationExpectation } from '@wp/contracts'
import { z } from 'zod'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input, Textarea } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import type { SetRow } from './evaluation-queries.ts'

export type CaseRow = z.output<typeof EvaluationCase>

const lines = (value: string): string[] =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The form: lists are texts of one line each, and what is empty is not checked. */
const CaseForm = z
  .object({
    name: z.string(),
    input: z.string().min(1, 'is required'),
    expected: z.object({
      answer: z.string(),
      contains: z.string(),
      not_contains: z.string(),
      matches: z.string(),
      grader: z.object({ instructions: z.string() }),
    }),
  })
  .superRefine(({ expected }, context) => {
    if (Object.keys(toExpectation(expected)).length === 0)
      context.addIssue({ code: 'custom', path: ['expected', 'contains'], message: 'say what a good answer states' })
  })

type CaseValues = z.output<typeof CaseForm>

function toExpectation({
  answer,
  contains,
  not_contains,
  matches,
  grader,
}: CaseValues['expected']): EvaluationExpectation {
  const [facts, excluded] = [lines(contains), lines(not_contains)]
  return {
    ...(answer.trim() !== '' && { answer: answer.trim() }),
    ...(facts.length > 0 && { contains: facts }),
    ...(excluded.length > 0 && { not_contains: excluded }),
    ...(matches !== '' && { matches }),
    ...(grader.instructions.trim() !== '' && { grader: { instructions: grader.instructions.trim() } }),
  }
}

const toValues = (row: CaseRow | undefined): CaseValues => ({
  name: row?.name ?? '',
  input: row === undefined ? '' : typeof row.input === 'string' ? row.input : JSON.stringify(row.input),
  expected: {
    answer: row?.expected.answer ?? '',
    contains: row?.expected.contains?.join('\n') ?? '',
    not_contains: row?.expected.not_contains?.join('\n') ?? '',
    matches: row?.expected.matches ?? '',
    grader: { instructions: row?.expected.grader?.instructions ?? '' },
  },
})

const expectedFields = [
  { name: 'expected.contains', label: 'The answer states', hint: 'One fact a line, such as 44', rows: 3 },
  { name: 'expected.not_contains', label: 'The answer does not state', hint: 'One text a line', rows: 2 },
  {
    name: 'expected.answer',
    label: 'The answer is',
    hint: 'Word for word, apart from upper case and spaces; with a judgement below, by its meaning',
    rows: 2,
  },
] as const

/** Adds a question to a test set, or changes one. */
export function CaseDialog({ set, row, onClose }: { set: SetRow; row: CaseRow | undefined; onClose: () => void }) {
  const { api, refresh } = useWorkspace()
  const { form, ...rest } = useApiForm({
    schema: CaseForm,
    defaultValues: toValues(row),
    onSubmit: async ({ name, input, expected }) => {
      const fields = row?.expected.fields
      const body = {
        name: name.trim() === '' ? null : name.trim(),
        input: typeof row?.input === 'object' && row.input !== null ? JSON.parse(input) : input,
        expected: { ...toExpectation(expected), ...(fields !== undefined && { fields }) },
      }
      if (row === undefined) await api.agents.createEvaluationCase({ params: { evaluation_set_id: set.id }, body })
      else await api.agents.updateEvaluationCase({ params: { evaluation_set_id: set.id, id: row.id }, body })
      await refresh('evaluation-sets')
      showSuccess(row === undefined ? 'The question was added' : 'The question was changed')
      onClose()
    },
  })
  return (
    <Dialog isOpen onClose={onClose} size="drawer" title={row === undefined ? 'Add a question' : 'Change the question'}>
      <Form {...rest} submitLabel={row === undefined ? 'Add the question' : 'Save'} onCancel={onClose}>
        <FormField form={form} name="input" label="Question">
          <Textarea rows={3} />
        </FormField>
        <FormField form={form} name="name" label="Name" hint="Shown in results in place of the question" isOptional>
          <Input />
        </FormField>
        {expectedFields.map(({ name, rows, ...field }) => (
          <FormField key={name} form={form} name={name} {...field} isOptional>
            <Textarea rows={rows} />
          </FormField>
        ))}
        <FormField
          form={form}
          name="expected.grader.instructions"
          label="Judged by a model"
          hint={
            set.grader === null
              ? 'Choose a model for judgements in the settings of the test set first'
              : 'What makes an answer good, such as: names the busiest day and the reason'
          }
          isOptional
        >
          <Textarea rows={2} disabled={set.grader === null} />
        </FormField>
        <FormField form={form} name="expected.matches" label="Pattern" hint="A regular expression (RE2)" isOptional>
          <Input isMono />
        </FormField>
      </Form>
    </Dialog>
  )
}
