import type { InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { classNames } from '../button/button.tsx'
import styles from './field.module.css'

/** A one-line input. `isMono` for ids, addresses and code. */
export function Input({
  isMono = false,
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { isMono?: boolean; ref?: Ref<HTMLInputElement> }) {
  return <input {...rest} className={classNames(styles.control, isMono && styles.mono, className)} />
}

/** A text of several lines. */
export function Textarea({
  isMono = false,
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { isMono?: boolean; ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea {...rest} className={classNames(styles.control, isMono && styles.mono, className)} />
}

/** One of several values: the control of the device, which is best on phones. */
export function Select({
  options,
  className,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & {
  options: readonly { value: string; label: string; disabled?: boolean }[]
  ref?: Ref<HTMLSelectElement>
}) {
  return (
    <select {...rest} className={classNames(styles.control, className)}>
      {options.map(({ value, label, disabled }) => (
        <option key={value} value={value} disabled={disabled}>
          {label}
        </option>
      ))}
    </select>
  )
}

interface ChoiceProps extends InputHTMLAttributes<HTMLInputElement> {
  label: ReactNode
  hint?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** A check box with its label. */
export function Checkbox({ label, hint, ...rest }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input {...rest} type="checkbox" className={styles.box} />
      <span>
        {label}
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  )
}

/** A radio button with its label; a group of them shares `name`. */
export function Radio({ label, hint, ...rest }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input {...rest} type="radio" className={styles.box} />
      <span>
        {label}
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  )
}
