import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

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
