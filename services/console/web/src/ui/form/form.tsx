import { useBlocker } from '@tanstack/react-router'
import { cloneElement, type FormEvent, type ReactElement, type ReactNode, useRef } from 'react'
import { type FieldValues, get, type Path, type UseFormReturn } from 'react-hook-form'
import { Button } from '../button/button.tsx'
import { Callout, ErrorMessage } from '../message/message.tsx'
import { Field, FormActions } from './field.tsx'
import { toSentence } from './server-field-errors.ts'

/** The value of an empty control: an empty text, no member, or null. */
type EmptyMeaning = 'text' | 'omit' | 'null'

const setValueAs: Readonly<Record<EmptyMeaning, ((value: unknown) => unknown) | undefined>> = {
  text: undefined,
  omit: (value) => (value === '' ? undefined : value),
  null: (value) => (value === '' ? null : value),
}

/** A labelled control of a form, with the error of its field. The control is an `Input`, `Textarea` or `Select`. */
export function FormField<Input extends FieldValues, Output>({
  form,
  name,
  label,
  hint,
  isOptional = false,
  empty = 'text',
  children,
}: {
  form: UseFormReturn<Input, unknown, Output>
  name: Path<Input>
  label: string
  hint?: ReactNode
  isOptional?: boolean
  empty?: EmptyMeaning
  children: ReactElement<Record<string, unknown>>
}) {
  const convert = setValueAs[empty]
  const registered = form.register(name, convert === undefined ? {} : { setValueAs: convert })
  return (
    <Field label={label} hint={hint} isOptional={isOptional} error={errorOf(form, name)}>
      {cloneElement(children, { ...registered })}
    </Field>
  )
}

/**
 * Returns the message of a field, for controls that are not registered. Of a list, also that of its first bad element.
 */
export function errorOf<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  name: Path<Input>,
): string | undefined {
  const error: unknown = get(form.formState.errors, name)
  return messageOf(error) ?? (Array.isArray(error) ? messageOf(error.find(Boolean)) : undefined)
}

const messageOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? toSentence(error.message)
    : undefined

/** Returns the first message of an error, also of the members below it. */
export function firstMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const members = Object.entries(error).filter(([name]) => name !== 'ref')
  return messageOf(error) ?? members.map(([, inner]) => firstMessage(inner)).find((message) => message !== undefined)
}

/**
 * A form: its fields, the error that belongs to no field, and its buttons. Leaving the page asks first while something
 * is typed. Pass the result of `useApiForm` to it.
 */
export function Form({
  submit,
  isBusy,
  isUnsaved,
  failure,
  submitLabel,
  onCancel,
  children,
}: {
  submit: (event: FormEvent) => void
  isBusy: boolean
  isUnsaved: boolean
  failure: unknown
  submitLabel: string
  onCancel?: () => void
  children: ReactNode
}) {
  const isCancelled = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !isCancelled.current,
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  })
  const cancel = () => {
    isCancelled.current = true
    onCancel?.()
  }
  return (
    <form className="stack-4" onSubmit={submit} noValidate>
      {children}
      {failure !== undefined && <ErrorMessage error={failure} />}
      <FormActions>
        {onCancel && <Button onClick={cancel}>Cancel</Button>}
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {submitLabel}
        </Button>
      </FormActions>
      {blocker.status === 'blocked' && (
        <Callout tone="warning" title="Leave this page? What you typed is not saved.">
          <FormActions>
            <Button onClick={blocker.proceed}>Leave</Button>
            <Button variant="primary" autoFocus onClick={blocker.reset}>
              Stay
            </Button>
          </FormActions>
        </Callout>
      )}
    </form>
  )
}
