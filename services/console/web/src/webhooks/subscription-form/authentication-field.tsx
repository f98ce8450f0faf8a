import type { WebhookAuthentication } from '@wp/contracts'
import { useRef } from 'react'
import { get } from 'react-hook-form'
import { Button, Icon, IconButton } from '../../ui/button/button.tsx'
import { Input, Select, Textarea } from '../../ui/form/controls.tsx'
import { Field, FieldGroup } from '../../ui/form/field.tsx'
import {
  type AuthenticationChoice,
  authenticationTypes,
  changeField,
  chooseOption,
  optionOf,
  optionsOf,
} from '../shared/authentication-choice.ts'
import type { HeaderRow } from '../shared/header-rows.ts'
import styles from '../shared/webhooks.module.css'

/** Chooses how the platform authenticates at the endpoint. Stored secrets are never shown. */
export function AuthenticationField({
  stored,
  choice,
  onChange,
  errors,
}: {
  stored: WebhookAuthentication | null
  choice: AuthenticationChoice
  onChange: (choice: AuthenticationChoice) => void
  /** Those of the form, by field. */
  errors: unknown
}) {
  const { value } = choice
  return (
    <>
      <Field
        label="Authentication at the endpoint"
        hint="For a gateway in front of your receiver that requires more than the signature"
      >
        <Select
          options={optionsOf(stored)}
          value={optionOf(choice)}
          onChange={(event) => onChange(chooseOption(event.target.value))}
        />
      </Field>
      {value !== null &&
        authenticationTypes[value.type].fields.map((field) => {
          const control = {
            value: String(get(value, field.name) ?? ''),
            autoComplete: 'off',
            onChange: (event: { target: { value: string } }) =>
              onChange({ isKept: false, value: changeField(value, field, event.target.value) }),
          }
          return (
            <Field
              key={`${value.type}.${field.name}`}
              label={field.label}
              hint={field.hint}
              isOptional={field.isOptional === true}
              error={messageOf(get(errors, field.name))}
            >
              {field.isLong ? (
                <Textarea isMono rows={4} spellCheck={false} {...control} />
              ) : (
                <Input isMono type={field.isSecret ? 'password' : 'text'} {...control} />
              )}
            </Field>
          )
        })}
    </>
  )
}

const messageOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : undefined

const maxHeaders = 20

/** Custom headers, a row each. Stored values are never shown; they can be replaced or removed. */
export function HeadersField({
  hint = 'Sent with every delivery, for example an authorization of your gateway. Values are stored encrypted and not shown again.',
  rows,
  onChange,
  error,
}: {
  hint?: string
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
    <FieldGroup label="Custom headers" hint={hint} error={error}>
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
            icon="trash"
            label={`Remove header ${row.name || index + 1}`}
            variant="quiet"
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
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
