import { useState } from 'react'
import { chooseTheme, readThemeChoice } from '../../theme/theme.ts'
import { Segmented } from './tabs.tsx'

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
