import type { WebhookEventKind } from '@wp/contracts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { Input, Select } from '../../ui/form/controls.tsx'
import { FieldGroup } from '../../ui/form/field.tsx'
import styles from './automation.module.css'
import { type Condition, eventFields, fieldWords } from './trigger-words.ts'

const maxConditions = 5

/** Conditions on an event: all must match. */
export function ConditionsField({
  event,
  value,
  error,
  onChange,
}: {
  event: WebhookEventKind
  value: readonly Condition[]
  error: string | undefined
  onChange: (conditions: Condition[]) => void
}) {
  const fields = eventFields(event)
  const names = [...fields.keys()]
  const change = (index: number, part: Partial<Condition>) =>
    onChange(value.map((condition, at) => (at === index ? { ...condition, ...part } : condition)))
  return (
    <FieldGroup
      label="Only if (optional)"
      hint={value.length === 0 ? 'Otherwise each such event starts a run.' : ''}
      error={error}
    >
      {value.map(({ field, value: text }, index) => (
        <div key={index} className={styles.condition}>
          <Select
            aria-label={`Field ${index + 1}`}
            value={field}
            onChange={({ target }) => change(index, { field: target.value })}
            options={[...new Set([...names, field])].filter(Boolean).map((name) => ({
              value: name,
              label: fieldWords(name),
            }))}
          />
          <span>is</span>
          <Input
            aria-label={`Value ${index + 1}`}
            value={text}
            placeholder={String(fields.get(field) ?? '')}
            onChange={({ target }) => change(index, { value: target.value })}
          />
          <IconButton
            icon="close"
            label={`Remove condition ${index + 1}`}
            variant="quiet"
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {value.length < maxConditions && (
        <div>
          <Button
            icon="plus"
            size="small"
            onClick={() =>
              onChange([...value, { field: names.find((name) => !name.endsWith('id')) ?? names[0] ?? '', value: '' }])
            }
          >
            Add a condition
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}
