import { useState } from 'react'
import { DropZone } from '../../ui/form/drop-zone.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { acceptedFiles, fileTypeOf, isOtherSpreadsheet } from './file-types.ts'
import type { ChosenFiles } from './review/preview/preview-values.ts'
import styles from './uploads.module.css'

/** Takes files that can be uploaded, and says which of them cannot. Tables and documents are not taken together. */
export function FileDrop({
  onChoose,
  isCompact = false,
}: {
  onChoose: (chosen: ChosenFiles) => void
  isCompact?: boolean
}) {
  const [refusal, setRefusal] = useState<Refusal>()
  const take = (files: readonly File[]) => {
    const { chosen, refused } = chooseFiles(files)
    setRefusal(refused)
    if (refused === undefined && chosen !== undefined) onChoose(chosen)
  }
  return (
    <Stack>
      <DropZone
        label="Drop an Excel workbook, a CSV file or another table here"
        accept={acceptedFiles}
        isMultiple
        isCompact={isCompact}
        onFiles={take}
      />
      <div role="alert" className={styles.status}>
        {refusal && (
          <Callout tone="warning" title={refusal.title}>
            {refusal.advice}
          </Callout>
        )}
      </div>
    </Stack>
  )
}

interface Refusal {
  title: string
  advice: string
}

const listNames = (files: readonly File[]): string => files.map(({ name }) => isolate(name)).join(', ')

/** Nothing is taken if a file cannot be: a part of what was chosen would be uploaded without a word about the rest. */
function chooseFiles(files: readonly File[]): { chosen?: ChosenFiles; refused?: Refusal } {
  const [first, ...others] = files
  if (first === undefined) return {}
  const unknown = files.filter(({ name }) => fileTypeOf(name) === undefined)
  if (unknown.length > 0)
    return {
      refused: {
        title: `Not read: ${listNames(unknown)}`,
        advice: unknown.some(({ name }) => isOtherSpreadsheet(name))
          ? 'Save the spreadsheet as an Excel workbook (.xlsx) or as CSV, then choose it again.'
          : `Files can be read if their names end with ${acceptedFiles.replaceAll(',', ', ')}.`,
      },
    }
  const empty = files.filter(({ size }) => size === 0)
  if (empty.length > 0)
    return {
      refused: {
        title: `Empty: ${listNames(empty)}`,
        advice: 'The file contains nothing. Export it again, then choose it once more.',
      },
    }
  const documents = files.filter(({ name }) => fileTypeOf(name)?.content === 'document')
  if (documents.length > 0 && documents.length < files.length)
    return { refused: { title: 'Tables and documents are uploaded separately', advice: 'Choose one kind at a time.' } }
  return { chosen: { id: crypto.randomUUID(), files: [first, ...others], isDocument: documents.length > 0 } }
}
