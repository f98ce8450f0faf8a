import type { SourceFormat } from '@wp/contracts'
import type { Ref } from 'react'
import { Button } from '../../../ui/button/button.tsx'
import { FormActions } from '../../../ui/form/field.tsx'
import { formatBytes, formatCount, formatNumber } from '../../../ui/format/format.ts'
import { useSentence } from '../../../ui/format/format-time.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { Callout, ErrorMessage } from '../../../ui/message/message.tsx'
import { Card, Stack } from '../../../ui/page/page.tsx'
import { BadRows } from '../../syncs/bad-rows.tsx'
import { describeFileType, describeWarning } from './file-words.ts'
import { PreviewTable } from './preview/preview-table.tsx'
import type { Preview } from './preview/preview-values.ts'
import type { OtherFiles } from './preview/use-preview.ts'
import { beginningBytes, maxPreviewBytes } from './read-beginning.ts'
import { type CorrectionProps, RecognizedFile } from './recognized-file.tsx'
import styles from './review.module.css'
import type { NextStep, UploadReviewProps } from './review-props.ts'

interface TableReviewProps extends UploadReviewProps, CorrectionProps {
  /** Undefined while they are compared. */
  others: OtherFiles | undefined
  /** Why the last correction could not be applied, or the other files not be compared. */
  readError: Error | null
  isFormatChanged: boolean
  isLoading: boolean
  /** Takes the last correction back. */
  undo: (() => void) | undefined
  headingRef: Ref<HTMLHeadingElement>
  onRetry: () => void
  onAccept: (next?: NextStep) => void
}

/** A recognized table: what it is, its first rows, and the rows that will not be read. */
export function TableReview(props: TableReviewProps) {
  const { chosen, preview, others, corrections, onCorrect, readError, isLoading, undo, headingRef, onCancel, isBusy } =
    props
  const canUpload = readError === null && !isLoading && others !== undefined && readableCount(preview) > 0
  const steps = props.nextSteps?.(preview) ?? []
  return (
    <Stack>
      {props.renderUse?.(preview, headingRef)}
      <Card
        title="What we recognized"
        description={describeFile(preview, chosen.files[0])}
        {...(props.renderUse === undefined && { headingRef })}
      >
        <Stack>
          <RecognizedFile preview={preview} corrections={corrections} onCorrect={onCorrect} />
          {readError !== null && (
            <>
              <ErrorMessage error={readError} onRetry={props.onRetry} />
              {undo && (
                <FormActions>
                  <Button onClick={undo}>Undo the last change</Button>
                </FormActions>
              )}
            </>
          )}
          <Warnings
            preview={preview}
            corrections={corrections}
            onCorrect={onCorrect}
            isAlone={chosen.files.length === 1}
          />
          {props.renderFields(
            preview.columns.map(({ name }) => name),
            props.isFormatChanged,
          )}
        </Stack>
      </Card>
      <Card title={rowsTitle(preview)}>
        <Stack>
          <div aria-busy={isLoading} className={styles.preview}>
            <PreviewTable preview={preview} corrections={corrections} onCorrect={onCorrect} />
          </div>
          <BadRows rows={preview.refused} total={preview.refused_count} titleEnd="will not be read" />
        </Stack>
      </Card>
      {others !== undefined && <OtherFilesNotice {...others} />}
      {props.uploadError}
      <div className={styles.actionBar}>
        <p role="status">{isLoading ? 'Reading the file again …' : describeRows(preview, chosen.files[0])}</p>
        <FormActions>
          {steps.map((step, index) => (
            <Button
              key={step}
              {...(index === 0 && { variant: 'primary' })}
              isBusy={isBusy}
              disabled={!canUpload}
              onClick={() => props.onAccept(step)}
            >
              {stepLabels[step]}
            </Button>
          ))}
          <Button
            {...(steps.length === 0 && { variant: 'primary' })}
            isBusy={isBusy}
            disabled={!canUpload}
            onClick={() => props.onAccept()}
          >
            {uploadLabel(preview, [chosen.files[0], ...(others?.alike ?? [])])}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </FormActions>
      </div>
    </Stack>
  )
}

const namesOf = (files: readonly File[]): string => files.map(({ name }) => isolate(name)).join(', ')

const OtherFilesNotice = ({ alike, different }: OtherFiles) => (
  <>
    {alike.length > 0 && (
      <Callout>
        {formatCount(alike.length, 'more file')} will be read in the same way: {namesOf(alike)}
      </Callout>
    )}
    {different.length > 0 && (
      <Callout>
        Other columns, so you check {different.length === 1 ? 'this file' : 'each of these files'} after this one:{' '}
        {namesOf(different)}
      </Callout>
    )}
  </>
)

const rowsTitle = (preview: Preview): string =>
  preview.rows.length < readableCount(preview)
    ? `First ${preview.rows.length} rows as they will be read`
    : 'Rows as they will be read'

const describeFile = ({ format, columns }: Preview, file: File): string =>
  `${isolate(file.name)}, ${formatBytes(file.size)}: ${describeFileType(format)} with ${formatCount(columns.length, 'column')}`

/** The rows of a preview include those that are refused. */
const readableCount = ({ row_count: rows, refused_count: refused }: Preview): number => rows - refused

function describeRows(preview: Preview, file: File): string {
  const part = file.size > maxPreviewBytes ? ` in the first ${formatBytes(beginningBytes)} of the file` : ''
  const read = `${formatCount(readableCount(preview), 'row')} can be read${part}`
  const { refused_count: refused } = preview
  return refused === 0 ? `${read}.` : `${read}, ${formatCount(refused, 'row')} cannot.`
}

const stepLabels: Readonly<Record<NextStep, string>> = {
  utilization: 'See utilization',
  buildings: 'See buildings',
  teams: 'See teams',
  forecast: 'Forecast this data',
}

const uploadLabel = (preview: Preview, files: readonly File[]): string =>
  files.length > 1
    ? `Upload ${formatNumber(files.length)} files`
    : (files[0]?.size ?? 0) > maxPreviewBytes
      ? 'Upload the file'
      : `Upload ${formatCount(readableCount(preview), 'row')}`

/** Remarks that the person should look at, and values that may stand for no value. */
function Warnings({
  preview: { warnings, suggestions, columns },
  corrections,
  onCorrect,
  isAlone,
}: CorrectionProps & { isAlone: boolean }) {
  const sentence = useSentence()
  const stated: readonly string[] = corrections.nulls ?? []
  const known = new Set([...stated, ...columns.flatMap(({ nulls }) => nulls)])
  const possible = suggestions.nulls.filter((value) => !known.has(value))
  const others = warnings.filter(({ code }) => code !== 'possible_null')
  const readAsNone = (value: string) => onCorrect({ ...corrections, nulls: [...stated, value] } satisfies SourceFormat)
  return (
    <>
      {others.length > 0 && (
        <Callout tone="warning" title="Please check">
          {others.map(({ code, message, column = '' }) => (
            <div key={`${code} ${column} ${message}`}>{sentence(describeWarning({ code, message }, isAlone))}</div>
          ))}
        </Callout>
      )}
      {possible.map((value) => (
        <Callout key={value} title={`Does ${isolate(value)} mean “no value”?`}>
          <p>It occurs again and again among values that are never negative, as where a building is closed.</p>
          <div className="above-2">
            <Button size="small" onClick={() => readAsNone(value)}>
              Read {isolate(value)} as no value
            </Button>
          </div>
        </Callout>
      ))}
    </>
  )
}
