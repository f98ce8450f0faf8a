import { useEffect, useState } from 'react'
import styles from './field.module.css'

/** A text that is read as it is typed; what it means is reported at once, what is wrong with it when it is left. */
export function useTyped({
  value,
  onChange,
  read,
  format,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
  read: (text: string) => { value: string; error?: undefined } | { error: string; value?: undefined }
  format: (value: string) => string
}) {
  const shown = value === undefined ? '' : format(value)
  const [text, setText] = useState(shown)
  const [isLeft, setLeft] = useState(true)
  // A value from outside replaces the text, unless the text means the same.
  useEffect(() => setText((current) => (read(current).value === value ? current : shown)), [value])
  const result = text.trim() === '' ? { value: undefined } : read(text)
  const error = 'error' in result ? result.error : undefined
  const isUnreadable = error !== undefined
  const report = (next: string) => {
    setText(next)
    setLeft(false)
    const { value: meant } = next.trim() === '' ? { value: undefined } : read(next)
    if (meant !== value && (meant !== undefined || next.trim() === '')) onChange(meant)
  }
  return {
    error: isLeft ? error : undefined,
    input: {
      value: text,
      onChange: ({ target }: { target: { value: string } }) => report(target.value),
      onBlur: () => {
        setLeft(true)
        if (!isUnreadable) setText(shown)
      },
    },
    mark: (
      errorId: string,
      control: { 'aria-describedby'?: string | undefined; 'aria-invalid'?: boolean | undefined },
    ) => ({
      'data-unreadable': isUnreadable || undefined,
      'aria-invalid': (isUnreadable && isLeft) || control['aria-invalid'],
      'aria-describedby':
        [control['aria-describedby'], isUnreadable && isLeft && errorId].filter(Boolean).join(' ') || undefined,
    }),
  }
}

/** The problem of a text that is typed. */
export const TypedError = ({ id, error }: { id: string; error: string | undefined }) =>
  error !== undefined && (
    <div id={id} role="alert" className={styles.error}>
      {error}
    </div>
  )
