import type { DestinationType } from '@wp/contracts'
import { get } from 'react-hook-form'
import { Button } from '../../../ui/button/button.tsx'
import { Input, Select, Textarea } from '../../../ui/form/controls.tsx'
import { Field, FieldGroup } from '../../../ui/form/field.tsx'
import { firstMessage } from '../../../ui/form/form.tsx'
import { Callout } from '../../../ui/message/message.tsx'
import type { HeaderRow } from '../../shared/header-rows.ts'
import { HeadersField } from '../../subscription-form/authentication-field.tsx'
import { type ConfigField, type ConfigTexts, configFields } from '../config-fields.ts'
import type { ConfigView } from '../destination-words.ts'

/** The settings of a type. Stored secrets and values of header fields are never shown. */
export function ConfigControls({
  type,
  texts,
  onTexts,
  stored,
  headers,
  onHeaders,
  errors,
}: {
  type: DestinationType
  texts: ConfigTexts
  onTexts: (texts: ConfigTexts) => void
  stored: ConfigView | undefined
  headers: readonly HeaderRow[] | undefined
  onHeaders: (rows: readonly HeaderRow[] | undefined) => void
  /** Those of the form, by setting. */
  errors: unknown
}) {
  const isNew = stored === undefined
  return (
    <>
      {configFields[type]
        .filter(({ needs }) => needs === undefined || texts[needs] !== '')
        .map((field) => (
          <Field
            key={field.name}
            label={field.label}
            hint={field.isSecret && !isNew ? 'Kept unless the address changes; type to replace it' : field.hint}
            isOptional={isOptional(field, isNew)}
            error={firstMessage(get(errors, field.name))}
          >
            <ConfigControl
              field={field}
              value={texts[field.name] ?? ''}
              onChange={(value) => onTexts({ ...texts, [field.name]: value })}
            />
          </Field>
        ))}
      {type === 'http' &&
        (headers === undefined ? (
          <StoredHeaders
            names={Object.keys(stored?.type === 'http' ? stored.headers : {})}
            isNewAddress={stored?.type === 'http' && withoutQuery(texts.url) !== withoutQuery(stored.url)}
            onReplace={(names) => onHeaders(names.map((name, key) => ({ key, name, value: '', isStored: false })))}
          />
        ) : (
          <HeadersField
            hint="Sent with every request, for example an authorization. Values are stored encrypted and not shown again."
            rows={headers}
            onChange={onHeaders}
            error={firstMessage(get(errors, 'headers'))}
          />
        ))}
    </>
  )
}

const isOptional = ({ name, empty, isSecret, options }: ConfigField, isNew: boolean): boolean =>
  isSecret ? !isNew : options === undefined && name !== 'username' && (empty !== undefined || name === 'prefix')

/** One control. It gets its id and description from the field around it. */
function ConfigControl({
  field: { isSecret, isList, options, placeholder },
  value,
  onChange,
  ...control
}: {
  field: ConfigField
  value: string
  onChange: (value: string) => void
}) {
  const common = {
    ...control,
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  if (options !== undefined) return <Select {...common} options={options} />
  if (isList) return <Textarea {...common} isMono rows={3} spellCheck={false} placeholder={placeholder} />
  return (
    <Input
      {...common}
      isMono
      type={isSecret ? 'password' : 'text'}
      placeholder={placeholder}
      autoComplete={isSecret ? 'new-password' : 'off'}
    />
  )
}

/** The header fields that are kept. They belong to the address: the API removes them with another one. */
const StoredHeaders = ({
  names,
  isNewAddress,
  onReplace,
}: {
  names: readonly string[]
  isNewAddress: boolean
  onReplace: (names: string[]) => void
}) => (
  <FieldGroup
    label="Custom headers"
    hint={names.length === 0 ? 'None are sent.' : `${names.join(', ')}: kept, and not shown.`}
  >
    {isNewAddress && names.length > 0 && (
      <Callout tone="warning" title="The address is another one">
        The stored headers are for the old one and are removed. Enter those that you still need again.
      </Callout>
    )}
    <div style={{ marginTop: 'var(--space-2)' }}>
      <Button size="small" onClick={() => onReplace([...names])}>
        {names.length === 0 ? 'Add headers' : 'Enter all headers again'}
      </Button>
    </div>
  </FieldGroup>
)

/** Returns the part of an address that secrets are bound to: all but its query. */
const withoutQuery = (url = ''): string => URL.parse(url)?.href.split(/[?#]/, 1)[0] ?? url
