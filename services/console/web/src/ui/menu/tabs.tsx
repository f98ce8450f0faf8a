import type { LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { chooseTheme, readThemeChoice } from '../../theme/theme.ts'
import { Link } from '../button/button-link.tsx'
import styles from './menu.module.css'

/** Tabs that are pages of their own, each with its address. */
export const PageTabs = ({ label, tabs }: { label: string; tabs: readonly { label: string; link: LinkProps }[] }) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map((tab) => (
      <Link key={tab.label} {...tab.link} className={styles.tab} activeOptions={{ exact: true, includeSearch: false }}>
        {tab.label}
      </Link>
    ))}
  </nav>
)

/** A choice of one among few values, all visible. */
export const Segmented = <Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}) => (
  <fieldset className={styles.segmented} aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        className={styles.segment}
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
)

/** Chooses the colour scheme of this browser. */
export function ThemeChoice() {
  const [choice, setChoice] = useState(readThemeChoice)
  return (
    <Segmented
      label="Theme"
      value={choice}
      options={[
        { value: 'system', label: 'As the device' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
      onChange={(next) => {
        chooseTheme(next)
        setChoice(next)
      }}
    />
  )
}
