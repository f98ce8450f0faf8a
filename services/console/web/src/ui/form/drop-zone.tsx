import { type ReactNode, useRef, useState } from 'react'
import { Button, Icon } from '../button/button.tsx'
import styles from './field.module.css'

/** Takes files by drag and drop or by the dialog of the device. */
export function DropZone({
  label,
  accept,
  isMultiple = false,
  isCompact = false,
  onFiles,
  children,
}: {
  label: string
  /** Extensions and types, as the attribute of `<input>`. */
  accept: string
  isMultiple?: boolean
  /** One row high, for pages that are about something else. */
  isCompact?: boolean
  onFiles: (files: File[]) => void
  children?: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isActive, setActive] = useState(false)
  const take = (files: FileList | null) => {
    const list = [...(files ?? [])].slice(0, isMultiple ? undefined : 1)
    if (list.length > 0) onFiles(list)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keyboards
    <div
      className={styles.drop}
      data-active={isActive}
      data-compact={isCompact}
      onDragOver={(event) => {
        event.preventDefault()
        setActive(true)
      }}
      onDragLeave={() => setActive(false)}
      onDrop={(event) => {
        event.preventDefault()
        setActive(false)
        take(event.dataTransfer.files)
      }}
    >
      <Icon name="upload" size={isCompact ? 18 : 24} />
      <div>{label}</div>
      <Button onClick={() => input.current?.click()}>Choose {isMultiple ? 'files' : 'a file'}</Button>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        multiple={isMultiple}
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      {children}
    </div>
  )
}
