import { useRef } from 'react'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/button/icon.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { FieldGroup } from '../../ui/form/field.tsx'
import type { HeaderRow } from '../shared/header-rows.ts'
import styles from '../shared/webhooks.module.css'

const maxHeaders = 20

/** The custom headers of a subscription, a row each. Stored values are never shown; they can be replaced or removed. */
export function HeadersField({
  rows,
  onChange,
  error,
}: {
  rows: readonly HeaderRow[]
  onChange: (rows: HeaderRow[]) => void
  error?: string | undefined
}) {
  const lastKey = useRef(Math.max(0, ...rows.map(({ key }) => key)))
  const add = () => {
    lastKey.current += 1
    onChange([...rows, { key: lastKey.current, name: '', value: '', isStored: false }])
  }
  const change = (key: number, part: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part, isStored: false } : row)))
  return (
    <FieldGroup
      label="Custom headers"
      hint="Sent with every delivery, for example an authorization of your gateway. Values are stored encrypted and not shown again."
      error={error}
    >
      {rows.map((row, index) => (
        <div key={row.key} className={styles.headerRow}>
          <Input
            isMono
            aria-label={`Name of header ${index + 1}`}
            placeholder="x-team"
            value={row.name}
            disabled={row.isStored}
            onChange={(event) => change(row.key, { name: event.target.value })}
          />
          <Input
            isMono
            aria-label={`Value of header ${index + 1}`}
            placeholder={row.isStored ? 'Stored; type to replace it' : 'Value'}
            value={row.value}
            autoComplete="off"
            onChange={(event) => change(row.key, { value: event.target.value })}
          />
          <IconButton
            label={`Remove header ${row.name || index + 1}`}
            variant="quiet"
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            <Icon name="trash" size={16} />
          </IconButton>
        </div>
      ))}
      <div style={{ marginTop: 'var(--space-2)' }}>
        <Button size="small" disabled={rows.length >= maxHeaders} onClick={add}>
          <Icon name="plus" size={14} />
          Add header
        </Button>
      </div>
    </FieldGroup>
  )
}
