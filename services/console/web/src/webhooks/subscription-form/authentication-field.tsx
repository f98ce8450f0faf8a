import type { WebhookAuthentication } from '@wp/contracts'
import { get } from 'react-hook-form'
import { Input, Select, Textarea } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import {
  type AuthenticationChoice,
  authenticationTypes,
  changeField,
  chooseOption,
  optionOf,
  optionsOf,
} from '../shared/authentication-choice.ts'

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
