import { currencyOfName, mapRoles } from '@wp/tabular'
import { Select } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { type DatasetKind, kindWords, type Mapping, roleWords } from './dataset-words.ts'
import styles from './datasets.module.css'
import { browserZone, ZoneSelect } from './names/place-fields.tsx'

/** A column of a file, with some of its values. */
export interface SampledColumn {
  name: string
  type: string
  isDateOnly?: boolean
  examples: readonly string[]
}

export interface DatasetChoice {
  /** Undefined: no file that buildings are counted from. */
  kind: DatasetKind | undefined
  mapping: Mapping
  /** Of the sites that a list of floors creates; by default that of the browser. */
  timezone?: string
}

/** Returns what a request about the file says of its meaning. */
export const meaningOf = ({ kind, mapping, timezone = browserZone() }: DatasetChoice) => ({
  mapping: { ...mapping },
  ...(kind === 'spaces' && mapping.timezone === undefined && { timezone }),
})

const kindOptions = Object.entries(kindWords).map(([value, { label }]) => ({ value, label }))

/** The kind of a file. Choosing another one finds its columns again. */
export function KindField({
  columns,
  choice,
  onChange,
  noneLabel,
}: {
  columns: readonly SampledColumn[]
  choice: DatasetChoice
  onChange: (choice: DatasetChoice) => void
  /** The words for a file of no such kind. */
  noneLabel: string
}) {
  return (
    <div className={styles.kind}>
      <Field label="This file has">
        <Select
          value={choice.kind ?? ''}
          options={[{ value: '', label: noneLabel }, ...kindOptions]}
          onChange={({ target: { value } }) => {
            const kind = value === '' ? undefined : (value as DatasetKind) // an option is a kind
            onChange({ kind, mapping: kind === undefined ? {} : mapRoles(columns, kind) })
          }}
        />
      </Field>
    </div>
  )
}

/** Asks for the time zone of new sites where the list has none: without it, days are those of UTC. */
export function ZoneField({ choice, onChange }: { choice: DatasetChoice; onChange: (choice: DatasetChoice) => void }) {
  const { kind, mapping, timezone = browserZone() } = choice
  if (kind !== 'spaces' || mapping.timezone !== undefined) return null
  return (
    <div className={styles.kind}>
      <Field label="Time zone of new sites" hint="Days and hours of the buildings are those of this zone.">
        <ZoneSelect value={timezone} onChange={(changed) => onChange({ ...choice, timezone: changed })} />
      </Field>
    </div>
  )
}

/** The column of each role, with examples of its values. */
export function MappingFields({
  columns,
  kind,
  mapping,
  onChange,
}: {
  columns: readonly SampledColumn[]
  kind: DatasetKind
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}) {
  const options = columns.map(({ name }) => ({ value: name, label: name }))
  const choose = (role: string, column: string) => {
    const { [role]: _, ...others } = mapping
    onChange(column === '' ? others : { ...others, [role]: column })
  }
  const currency = currencyOfName(mapping.annual_cost ?? '')
  const absent = (role: string) => {
    const { isRequired, without } = roleWords[kind][role] ?? { isRequired: false }
    if (role === 'currency' && currency !== undefined) return `${currency}, as the name of the costs says`
    return isRequired ? 'Choose a column' : ['Not in the file', without ?? []].flat().join('. ')
  }
  return (
    <div className={styles.roles}>
      {Object.entries(roleWords[kind]).map(([role, { label, isRequired }]) => {
        const column = mapping[role]
        const examples = columns.find(({ name }) => name === column)?.examples ?? []
        return (
          <div key={role}>
            <Field label={label} isOptional={!isRequired}>
              <Select
                value={column ?? ''}
                options={[{ value: '', label: absent(role) }, ...options]}
                onChange={(event) => choose(role, event.target.value)}
              />
            </Field>
            <p className={styles.examples}>{examples.slice(0, 2).join(', ') || '\u00a0'}</p>
          </div>
        )
      })}
    </div>
  )
}
