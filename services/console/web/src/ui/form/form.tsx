import type { FormEvent, ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { ErrorMessage } from '../message/error-message.tsx'
import styles from './field.module.css'
import { FormActions } from './field.tsx'

/** A form: its fields, the error that belongs to no field, and its buttons. Pass the result of `useApiForm` to it. */
export function Form({
  submit,
  isBusy,
  failure,
  submitLabel,
  onCancel,
  align = 'end',
  children,
}: {
  submit: (event: FormEvent) => void
  isBusy: boolean
  failure: unknown
  submitLabel: string
  onCancel?: () => void
  align?: 'start' | 'end'
  children: ReactNode
}) {
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {children}
      {failure !== undefined && <ErrorMessage error={failure} />}
      <FormActions align={align}>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {submitLabel}
        </Button>
      </FormActions>
    </form>
  )
}
