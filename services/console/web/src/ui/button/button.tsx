import type { SVGProps } from 'react'
import { type ButtonHTMLAttributes, type Ref, useEffect, useState } from 'react'
import styles from './button.module.css'

type Variant = 'default' | 'primary' | 'danger' | 'quiet'

export interface ButtonLook {
  variant?: Variant
  size?: 'normal' | 'small'
  /** Shown before the text. */
  icon?: IconName
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
export function Button({ variant, size, icon, isBusy = false, className, children, onClick, ...rest }: ButtonProps) {
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
      {icon && <ButtonIcon icon={icon} size={size} />}
      {children}
    </button>
  )
}

/** The icon of a button, in the size of its text. */
export const ButtonIcon = ({ icon, size }: { icon: IconName; size: ButtonLook['size'] }) => (
  <Icon name={icon} size={size === 'small' ? 14 : 16} />
)

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

/** Paths of the icons, on a grid of 20 by 20, drawn with a stroke of 1.5. */
const paths = {
  home: 'M3.5 9 10 3.5 16.5 9v7a.5.5 0 0 1-.5.5h-3.5v-4.5h-5v4.5H4a.5.5 0 0 1-.5-.5z',
  data: 'M3.5 5.5c0-1.4 2.9-2.5 6.5-2.5s6.5 1.1 6.5 2.5S13.6 8 10 8 3.5 6.9 3.5 5.5zm0 0v9c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5v-9M3.5 10c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zm4-1.5 3.5 3.5',
  webhooks: 'M7.8 8.6a3 3 0 1 1 4.6-2.5M10 6l3 5.4m-.2 3.9a3 3 0 1 0 .6-4M13.2 14H7.4m-.6-4.6a3 3 0 1 0 1.6 5',
  key: 'M12.5 11a4 4 0 1 0-3.8-2.7L3.5 13.5v3H6V15h1.5v-1.5H9l1.2-1.2c.7.3 1.5.5 2.3.5M13 6.5h.01',
  robot:
    'M5 8h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1zm5-4.5V8M7.5 11.5v1m5-1v1M2 11v3m16-3v3',
  chart: 'M3.5 3.5v13h13M6.5 12.5l3-4 2.5 2.5 4-5.5',
  plug: 'M7 3v4m6-4v4M5.5 7h9v3a4.5 4.5 0 0 1-9 0zm4.5 7.5V17',
  people:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm-5 7c0-2.8 2.2-4.5 5-4.5s5 1.7 5 4.5M13 4a3 3 0 0 1 0 5.5m1.5 2.9c1.8.5 3 2 3 4.1',
  audit: 'M5 2.5h7l3.5 3.5v11a.5.5 0 0 1-.5.5H5a.5.5 0 0 1-.5-.5V3a.5.5 0 0 1 .5-.5zM7.5 9h5m-5 3h5m-5 3H10',
  card: 'M3 5h14a.5.5 0 0 1 .5.5v9a.5.5 0 0 1-.5.5H3a.5.5 0 0 1-.5-.5v-9A.5.5 0 0 1 3 5zm-.5 3h15M5.5 12h3',
  bell: 'M5 8.5a5 5 0 0 1 10 0c0 4 1.5 5 1.5 5h-13s1.5-1 1.5-5zM8.3 16.5a2 2 0 0 0 3.4 0',
  sliders: 'M4 6h6m4 0h2M4 14h2m4 0h6M12 4v4m-4 4v4',
  health: 'M2.5 10.5h3l2-5 4 9 2-4h4',
  settings:
    'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm0-10v2m0 11v2M4.7 4.7l1.4 1.4m7.8 7.8 1.4 1.4M2.5 10h2m11 0h2M4.7 15.3l1.4-1.4m7.8-7.8 1.4-1.4',
  plus: 'M10 4.5v11M4.5 10h11',
  close: 'm5 5 10 10M15 5 5 15',
  check: 'm4 10.5 4 4 8-9',
  copy: 'M7.5 7.5h8a.5.5 0 0 1 .5.5v8a.5.5 0 0 1-.5.5h-8A.5.5 0 0 1 7 16V8a.5.5 0 0 1 .5-.5zM13 7.5V4a.5.5 0 0 0-.5-.5h-8A.5.5 0 0 0 4 4v8a.5.5 0 0 0 .5.5H7',
  'chevron-down': 'm5 7.5 5 5 5-5',
  'chevron-right': 'm7.5 5 5 5-5 5',
  'chevron-left': 'm12.5 5-5 5 5 5',
  'chevrons-up-down': 'm6.5 8 3.5-4 3.5 4m-7 4 3.5 4 3.5-4',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  external: 'M11.5 3.5h5v5m0-5-7 7M14 11.5V16a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V6.5A.5.5 0 0 1 4 6h4.5',
  download: 'M10 3.5v9m-3.5-3 3.5 3.5 3.5-3.5M4 16.5h12',
  upload: 'M10 13V4m-3.5 3L10 3.5 13.5 7M4 16.5h12',
  refresh: 'M15.5 8A6 6 0 0 0 4.6 7.2M4 4v3.5h3.5M4.5 12a6 6 0 0 0 10.9.8m.6 3.2v-3.5h-3.5',
  play: 'M6.5 4.5v11l9-5.5z',
  stop: 'M5.5 5.5h9v9h-9z',
  trash:
    'M4 5.5h12M8 5.5V4a.5.5 0 0 1 .5-.5h3A.5.5 0 0 1 12 4v1.5m2.5 0-.6 10a1 1 0 0 1-1 .9H7.1a1 1 0 0 1-1-.9l-.6-10',
  pencil: 'm12 5 3 3m-10 9 .5-3.5L13.5 5.5a1.4 1.4 0 0 1 2 0l.5.5a1.4 1.4 0 0 1 0 2L8 16z',
  warning: 'M10 3.5 17.5 16.5h-15zM10 8.5v3.5m0 2.2v.01',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm0-8v4.5M10 6.5v.01',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm0-11v4.2l2.8 1.8',
  lock: 'M5.5 9h9a.5.5 0 0 1 .5.5v6a.5.5 0 0 1-.5.5h-9a.5.5 0 0 1-.5-.5v-6a.5.5 0 0 1 .5-.5zM7 9V7a3 3 0 0 1 6 0v2',
  eye: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5zm7.5 2a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm0-10v1.5m0 11V17m7-7h-1.5m-11 0H3m12-5-1 1M6 14l-1 1m10 0-1-1M6 6 5 5',
  logout: 'M12 3.5H5a.5.5 0 0 0-.5.5v12a.5.5 0 0 0 .5.5h7M8.5 10h9m-3-3 3 3-3 3',
  filter: 'M3 5h14M5.5 10h9M8.5 15h3',
  bolt: 'M11 2.5 4.5 11.5H10l-1 6 6.5-9H10z',
  chat: 'M4 4h12a.5.5 0 0 1 .5.5v8a.5.5 0 0 1-.5.5H9l-4 3.5V13H4a.5.5 0 0 1-.5-.5v-8A.5.5 0 0 1 4 4z',
  layers: 'M10 3 3 6.8l7 3.8 7-3.8zM3 10l7 3.8 7-3.8M3 13.2 10 17l7-3.8',
  calendar:
    'M4 4.5h12a.5.5 0 0 1 .5.5v11a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V5a.5.5 0 0 1 .5-.5zM3.5 8h13M7 2.5v4m6-4v4',
  building:
    'M4.5 17V3.5a.5.5 0 0 1 .5-.5h7a.5.5 0 0 1 .5.5V17m0-9H15a.5.5 0 0 1 .5.5V17M2.5 17h15M7 6.5h3M7 10h3m-3 3.5h3',
} as const

export type IconName = keyof typeof paths

/** Every icon. */
export const iconNames = Object.keys(paths) as IconName[] // the keys of a constant object are exactly its declared names

/** An icon of one line weight. It is decoration: the text beside it, or the label of its button, is what is read. */
export function Icon({ name, size = 18, ...rest }: { name: IconName; size?: number } & SVGProps<SVGSVGElement>) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.6 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...rest}
    >
      <path d={paths[name]} />
    </svg>
  )
}

/** Joins class names; false and undefined are left out. */
export const classNames = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
