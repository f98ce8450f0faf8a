import { useState } from 'react'
import { Checkbox, Radio } from '../../ui/form/controls.tsx'
import { FieldGroup } from '../../ui/form/field.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import styles from '../shared/agents.module.css'
import { useSources } from '../shared/queries.ts'

/** The data sources that the tools of an agent read: all, or those that are chosen. */
export function SourcesField({
  value,
  error,
  onChange,
}: {
  value: readonly string[]
  error: string | undefined
  onChange: (ids: string[]) => void
}) {
  const sources = useSources()
  const [isLimited, setLimited] = useState(value.length > 0)
  const toggle = (id: string) => onChange(value.includes(id) ? value.filter((other) => other !== id) : [...value, id])
  const unknown = value.filter((id) => sources.data?.every(({ data_source_id }) => data_source_id !== id))
  return (
    <FieldGroup label="Data sources" error={error}>
      <Radio
        name="sources"
        label="All that the caller of a run may read"
        checked={!isLimited}
        onChange={() => {
          setLimited(false)
          onChange([])
        }}
      />
      <Radio name="sources" label="Only these" checked={isLimited} onChange={() => setLimited(true)} />
      {isLimited && (
        <div className={styles.sourceChoices}>
          {sources.error && <ErrorMessage error={sources.error} onRetry={() => void sources.refetch()} />}
          {sources.data?.length === 0 && <p className={styles.muted}>There is no data source yet.</p>}
          {sources.data?.map(({ data_source_id: id, name, record_count }) => (
            <Checkbox
              key={id}
              label={name}
              hint={formatCount(record_count, 'record')}
              checked={value.includes(id)}
              onChange={() => toggle(id)}
            />
          ))}
          {unknown.map((id) => (
            <Checkbox key={id} label={<code>{id}</code>} hint="Deleted" checked onChange={() => toggle(id)} />
          ))}
        </div>
      )}
      {isLimited && value.length === 0 && <p className={styles.muted}>Choose at least one, or the agent reads all.</p>}
    </FieldGroup>
  )
}
