import type { ApiError } from '@wp/client/browser'
import type { SourceFormat } from '@wp/contracts'
import type { Ref } from 'react'
import { z } from 'zod'
import { Button } from '../../../ui/button/button.tsx'
import { FormActions } from '../../../ui/form/field.tsx'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { ErrorMessage } from '../../../ui/message/message.tsx'
import { Card, Stack } from '../../../ui/page/page.tsx'
import { readHeaderLines } from './header-lines.ts'
import { formatReadTime, formatReadValue } from './preview/preview-values.ts'
import styles from './review.module.css'

const FormatQuestion = z.object({
  column: z.string(),
  readings: z
    .array(
      z.object({
        format: z.custom<SourceFormat>((value) => typeof value === 'object' && value !== null),
        values: z.array(z.object({ value: z.string(), reading: z.union([z.string(), z.number()]) })).min(1),
      }),
    )
    .min(2),
})
export type FormatQuestion = z.infer<typeof FormatQuestion>

/** Returns the questions of an `ambiguous_format` error, one for each column. */
export const readFormatQuestions = ({ body }: ApiError): readonly FormatQuestion[] =>
  z.array(FormatQuestion).safeParse(body.questions).data ?? []

/** Asks which of several readings is meant. A click answers. */
export function FormatQuestions({
  error,
  onAnswer,
  onCancel,
  headingRef,
}: {
  error: ApiError
  onAnswer: (format: SourceFormat) => void
  onCancel: () => void
  headingRef: Ref<HTMLHeadingElement>
}) {
  const questions = readFormatQuestions(error)
  const lines = readHeaderLines(error)
  return (
    <Card
      title={questions.length > 1 ? `${questions.length} questions about this file` : 'One question about this file'}
      description="It can be read in more than one way. Nothing is stored before you answer."
      headingRef={headingRef}
    >
      <Stack>
        {lines.length > 0 && (
          <fieldset>
            <legend className={styles.question}>Which line names the columns?</legend>
            <div className={styles.answers}>
              {lines.map(({ line, names }) => (
                <button
                  key={line}
                  type="button"
                  className={`choice-button ${styles.answer}`}
                  onClick={() => onAnswer({ header_row: line })}
                >
                  <strong>Line {line}</strong>
                  <span>{isolate(names)}</span>
                </button>
              ))}
            </div>
          </fieldset>
        )}
        {questions.length + lines.length === 0 && <ErrorMessage error={error} />}
        {questions.map((question) => (
          <Question key={question.column} question={question} onAnswer={onAnswer} />
        ))}
        <FormActions>
          <Button onClick={onCancel}>Cancel</Button>
        </FormActions>
      </Stack>
    </Card>
  )
}

function Question({
  question: { column, readings },
  onAnswer,
}: {
  question: FormatQuestion
  onAnswer: (format: SourceFormat) => void
}) {
  const example = readings[0]?.values[0]?.value ?? ''
  const answers = readings.map(({ values }) => describeReading(values[0]?.reading ?? ''))
  return (
    <fieldset>
      <legend className={styles.question}>
        Column “{isolate(column)}”: is “{isolate(example)}” {answers.join(' or ')}?
      </legend>
      <div className={styles.answers}>
        {readings.map(({ format, values }, index) => (
          <button
            key={answers[index]}
            type="button"
            className={`choice-button ${styles.answer}`}
            onClick={() => onAnswer(format)}
          >
            <strong>{answers[index]}</strong>
            {values.slice(1).map(({ value, reading }) => (
              <span key={value}>
                {isolate(value)} is {typeof reading === 'string' ? formatReadTime(reading) : formatReadValue(reading)}
              </span>
            ))}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function describeReading(reading: string | number): string {
  if (typeof reading === 'string') return formatReadTime(reading)
  const kind = Number.isInteger(reading) ? 'a whole number' : 'with decimals'
  return `${formatReadValue(reading)} (${kind})`
}
