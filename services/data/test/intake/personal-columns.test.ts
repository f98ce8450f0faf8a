import { describe, expect, it } from '@jest/globals'
import { openTable } from '../../src/intake/open-table.ts'
import { previewTable } from '../../src/intake/preview/preview-table.ts'

/** Returns the columns that a preview suggests as personal. */
async function personalOf(columns: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const names = Object.keys(columns)
  const rows = [0, 1, 2].map((row) => names.map((name) => columns[name]?.[row] ?? '').join(';'))
  async function* chunks() {
    yield Buffer.from(`${names.join(';')}\n${rows.join('\n')}\n`)
  }
  const table = await openTable({
    chunks: chunks(),
    contentType: 'text/csv',
    format: {},
    declarations: {},
    now: Date.now,
  })
  return (await previewTable(table, false)).suggestions.personal
}

const texts = ['abc', 'bcd', 'cde']
const numbers = ['11', '25', '31']

describe('the personal columns of a preview', () => {
  it.each([
    ...[
      'User ID',
      'userId',
      'Employee',
      'Card Holder',
      'Card Number',
      'Badge',
      'E-Mail',
      'Phone',
      'First name',
      'Name',
    ],
    ...['Mitarbeiter', 'Personal-Nr.', 'Personalnummer', 'Karteninhaber', 'Ausweis', 'Vorname', 'Telefon', 'Benutzer'],
    ...[
      'Credential code',
      'Card ID',
      'PIN',
      'Personnel number',
      'EmpNo',
      'Fob no.',
      'Worker ID',
      'Karten-Nr.',
      'MA-Nr.',
    ],
    ...['Empleado', 'Nº de tarjeta', 'Credencial', 'Apellidos', 'Nombre', 'Nombre completo', 'Código de usuario'],
    ...['Code PIN', 'N° de carte', 'Numéro de badge', 'Chip-Nr.', 'Pers.-Nr.'],
    ...['Prénom', 'Nom', 'Matricule', 'Titulaire', 'Téléphone', 'Courriel', 'Salarié', 'Utilisateur'],
  ])('have %s', async (name) => {
    expect(await personalOf({ [name]: texts, Door: texts })).toEqual([name])
  })

  it('have the names of sheets when they are of people', async () => {
    expect(await personalOf({ Sheet: ['Ada Lovelace', "O'Neil, Max", 'Kurt Gödel'], Door: texts })).toEqual(['Sheet'])
    expect(await personalOf({ Sheet_2: ['Ada Lovelace', 'Kurt Gödel'], Door: texts })).toEqual(['Sheet_2'])
    expect(await personalOf({ Sheet: ['Haus Nord', 'Haus Süd', 'Haus Ost'], Door: texts })).toEqual([])
  })

  it.each(['User ID', 'Badge', 'Personalnummer', 'Matricule', 'Card No', 'Credential code', 'Tarjeta n.º', 'PIN'])(
    'have %s of numbers',
    async (name) => {
      expect(await personalOf({ [name]: numbers, Door: texts })).toEqual([name])
    },
  )

  it('have a column of mail addresses, whatever its name', async () => {
    expect(await personalOf({ Field7: ['a@b.example', 'c@d.example', 'e@f.example'], Door: texts })).toEqual(['Field7'])
  })

  it.each([
    'Room name',
    'Site',
    'Gebäude',
    'Étage',
    'Door',
    'Department',
    'Kategorie',
    'Space',
    'Sala',
    'Nombre de sala',
    'Card reader',
    'Door code',
  ])('do not have %s', async (name) => {
    expect(await personalOf({ [name]: texts, Day: ['2026-01-05', '2026-01-06', '2026-01-07'] })).toEqual([])
  })

  it.each(['People', 'Visitors', 'Besucher', 'Personen', 'Personas', 'Workers', 'Count'])(
    'do not have counts of %s',
    async (name) => {
      expect(await personalOf({ [name]: numbers, Door: texts })).toEqual([])
    },
  )
})
