import { cloneElement, type ReactElement, type ReactNode, useId } from 'react'
import { Icon } from '../button/button.tsx'
import styles from './field.module.css'

interface ControlProps {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

export interface FieldProps {
  label: string
  /** Explains the field; shown between label and control. */
  hint?: ReactNode
  /** The problem of the value, and its solution. */
  error?: string | undefined
  isOptional?: boolean
  /** One control, which gets its id, description and invalid state. */
  children: ReactElement<ControlProps>
}

/** A labelled control with hint and error, connected for assistive technology. */
export function Field({ label, hint, error, isOptional = false, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className="stack-1">
      <label className={styles.label} htmlFor={id}>
        {label} {isOptional && <span className={styles.optional}>(optional)</span>}
      </label>
      {hint && (
        <div className={styles.hint} id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {cloneElement(children, { id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {error && (
        <div className={styles.error} id={`${id}-error`} role="alert">
          <Icon name="warning" size={14} />
          {error}
        </div>
      )}
    </div>
  )
}

/** A group of controls with a common label, hint and error: a `fieldset`. */
export function FieldGroup({
  label,
  hint,
  error,
  children,
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
}) {
  return (
    <fieldset className="stack-1">
      <legend className={styles.label}>{label}</legend>
      {hint && <div className={styles.hint}>{hint}</div>}
      {children}
      {error && (
        <div className={styles.error} role="alert">
          <Icon name="warning" size={14} />
          {error}
        </div>
      )}
    </fieldset>
  )
}

/** Fields beside each other where there is room. */
export const FieldRow = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>

/** The buttons of a form, the confirming one last, in one place everywhere; sticky below what may be a long list. */
export const FormActions = ({ children, isSticky = false }: { children: ReactNode; isSticky?: boolean }) => (
  <div className={styles.actions} data-form-actions data-sticky={isSticky || undefined}>
    {children}
  </div>
)
