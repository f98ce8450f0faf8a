import { markOf } from './places-of-work.ts'

const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(', ')))

const active = words(
  'active, enabled, employed, on leave, open, in use, operational, available, aktiv, angestellt, beurlaubt, offen, in betrieb',
  'actif, active, ouvert, activo, activa, abierto, attivo, attiva, aperto, actief, open, aktywny',
)
const inactive = words(
  'inactive, disabled, terminated, left, resigned, retired, former, deactivated, closed, decommissioned, out of service',
  'not in use, demolished, inaktiv, ausgeschieden, ausgetreten, gekündigt, ehemalig, deaktiviert, stillgelegt, geschlossen',
  'inactif, inactive, parti, partie, désactivé, fermé, inactivo, inactiva, cerrado, inattivo, inattiva, cessato, chiuso',
  'inactief, uit dienst, gesloten, nieaktywny',
)

/** Returns true for a state of a person or space that is still there, false for one that is gone, else undefined. */
export function isActiveState(text: string): boolean | undefined {
  const word = text.trim().normalize('NFC').toLowerCase()
  return inactive.has(word) ? false : active.has(word) ? true : markOf(word)
}
