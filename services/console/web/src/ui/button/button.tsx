import type { ButtonHTMLAttributes, Ref } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

type Variant = 'default' | 'primary' | 'danger' | 'quiet'

export interface ButtonLook {
  variant?: Variant
  size?: 'normal' | 'small'
}

/** Returns the class names of a button. */
export const buttonClass = (
  { variant = 'default', size = 'normal' }: ButtonLook,
  ...more: (string | false | undefined)[]
) => classNames(styles.button, variant !== 'default' && styles[variant], size === 'small' && styles.small, ...more)

export interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows a spinner and ignores clicks; the button keeps its focus. */
  isBusy?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** A button. Its type is `button` unless it submits a form. */
export function Button({ variant, size, isBusy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(isBusy ? { 'aria-disabled': true, 'aria-busy': true } : {})}
      className={buttonClass({ ...(variant && { variant }), ...(size && { size }) }, className)}
      onClick={(event) => {
        if (isBusy) return event.preventDefault()
        onClick?.(event)
      }}
    >
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends ButtonProps {
  /** Accessible name; also the tooltip of the browser. */
  label: string
}

/** A square button that shows an icon only. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return <Button aria-label={label} title={label} {...rest} className={classNames(styles.icon, className)} />
}
