import { Input, Select } from '../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../ui/form/field.tsx'
import type { DatasetChoice } from '../../workplace/datasets/mapping-fields.tsx'
import { isAboutPeople, personalColumns } from './personal-columns.ts'
import type { Preview } from './review/preview/preview-values.ts'
import type { AcceptedReading } from './review/review-props.ts'

/** The statements of a person about a new source before its upload. */
export interface SourceDraft {
  name: string
  /** Column whose values identify rows; empty for none. */
  key: string
  /** The choice of the person; by default the recognized one. */
  choice?: DatasetChoice
  protects?: boolean
}

type Suggestions = Preview['suggestions'] | undefined

/** Returns what the file is about. */
export const choiceOf = ({ choice }: SourceDraft, suggestions: Suggestions): DatasetChoice =>
  choice ?? suggestions?.dataset ?? { kind: undefined, mapping: {} }

/** Returns true if the people in the file are protected. */
export const isProtected = (draft: SourceDraft, suggestions: Suggestions): boolean =>
  draft.protects ?? isAboutPeople(choiceOf(draft, suggestions).kind)

/** Returns the request that creates the source of an accepted file. @param name its name, if the draft has none */
export function newSourceOf(draft: SourceDraft, name: string, { format, suggestions }: AcceptedReading) {
  const { mapping } = choiceOf(draft, suggestions)
  const personal = isProtected(draft, suggestions) ? personalColumns(suggestions?.personal ?? [], mapping) : []
  return {
    provider: 'upload' as const,
    name: draft.name.trim() || name,
    ...(personal.length > 0 && { record_access: 'aggregates' as const }),
    config: {
      ...(draft.key !== '' && { key: draft.key }),
      ...(personal.length > 0 && { pseudonymize: personal }),
      ...(format && { format }),
    },
  }
}

/** The name of a new source, and the column that identifies its rows. */
export function SourceFields({
  columns,
  draft,
  onChange,
}: {
  columns: readonly string[]
  draft: SourceDraft
  onChange: (draft: SourceDraft) => void
}) {
  const { name, key } = draft
  return (
    <FieldRow>
      <Field label="Name">
        <Input
          value={name}
          onChange={(event) => onChange({ ...draft, name: event.target.value })}
          maxLength={200}
          autoComplete="off"
        />
      </Field>
      {columns.length > 0 && (
        <Field label="Column that identifies a row" isOptional>
          <Select
            value={key}
            options={[
              { value: '', label: 'None: every row counts' },
              ...columns.map((column) => ({ value: column, label: column })),
            ]}
            onChange={(event) => onChange({ ...draft, key: event.target.value })}
          />
        </Field>
      )}
    </FieldRow>
  )
}
