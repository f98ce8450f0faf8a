import { type ButtonHTMLAttributes, type Ref, useEffect, useState } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

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

const confirmationMs = 1500

/** Copies a text to the clipboard and confirms it for a moment. */
export function CopyButton({
  value,
  label = 'Copy',
  withText = false,
}: {
  value: string
  label?: string
  withText?: boolean
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), confirmationMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  const icon = <Icon name={isCopied ? 'check' : 'copy'} size={withText ? 16 : 14} />
  return (
    <>
      {withText ? (
        <Button size="small" onClick={copy}>
          {icon}
          {isCopied ? 'Copied' : label}
        </Button>
      ) : (
        <IconButton label={label} size="small" variant="quiet" onClick={copy}>
          {icon}
        </IconButton>
      )}
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}
