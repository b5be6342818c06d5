// Prints what an editor has no text for: exports, and properties of exported types and of the types that these lead to, of
// the declarations of the package's entries, or of those that are named. Ends with 1 where there are some.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// TypeScript 7 has no stable API; the generator of schemas comes with version 5.
const require = createRequire(import.meta.url);
const ts = createRequire(require.resolve('ts-json-schema-generator'))('typescript');

const named = process.argv.slice(2).map((file) => path.resolve(file));
const entries = named.length > 0 ? named : packageEntries();
const folders = [...new Set(named.length > 0 ? named.map(path.dirname) : [path.join(ROOT, 'dist', 'src')])];
const program = ts.createProgram(entries, {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  types: [],
});
const checker = program.getTypeChecker();

const undocumented = new Set();
const seen = new Set();
for (const { name, symbol } of exportedSymbols()) {
  if (!hasText(symbol)) undocumented.add(name);
  visit(name, symbol);
}
for (const line of [...undocumented].sort()) process.stdout.write(`${line}\n`);
if (undocumented.size > 0) process.exitCode = 1;

function packageEntries() {
  const { exports } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [path.join(ROOT, types)]));
}

function exportedSymbols() {
  return entries.flatMap((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
    if (module === undefined) throw new Error(`${entry} exports nothing. Is dist/ built?`);
    return checker.getExportsOfModule(module).map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }));
  });
}

/** A type, and those that its declarations name, at any depth. */
function visit(name, symbol) {
  if (seen.has(symbol)) return;
  seen.add(symbol);
  for (const property of lacksOf(name, symbol)) undocumented.add(property);
  for (const declaration of symbol.declarations ?? []) visitTypesIn(declaration);
}

function visitTypesIn(node) {
  // What is private is nobody's to look at.
  if (ts.canHaveModifiers(node) && ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) return;
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : null;
  const symbol = name === null ? undefined : checker.getSymbolAtLocation(name);
  if (symbol !== undefined) {
    const type = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (type.declarations?.some((declaration) => isOurs(declaration) && !isSettingsTable(declaration)))
      visit(type.name, type);
  }
  for (const child of childrenOf(node)) visitTypesIn(child);
}

/** The properties of a type that its declarations write down, at any depth. */
function* lacksOf(name, symbol) {
  if (!(symbol.flags & ts.SymbolFlags.Type)) return;
  for (const declaration of symbol.declarations ?? []) yield* lacksIn(declaration, name);
  // Those that it takes over from elsewhere: from a base, or from another type by way of `Pick` and the like.
  for (const property of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))) {
    const declaration = property.declarations?.find(isOurs);
    if (declaration !== undefined && needsText(declaration) && !hasText(property)) yield `${name}.${property.name}`;
  }
}

function* lacksIn(node, owner) {
  for (const child of childrenOf(node)) {
    const isProperty = isMember(child);
    const path = isProperty ? `${owner}.${child.name.getText()}` : owner;
    if (isProperty && needsText(child) && !hasText(checker.getSymbolAtLocation(child.name))) yield path;
    yield* lacksIn(child, path);
  }
}

function childrenOf(node) {
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

function hasText(symbol) {
  return symbol.getDocumentationComment(checker).length > 0;
}

function isMember(node) {
  return (
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node)
  );
}

/** What tells the members of a union apart can be one word alone, and that is what an editor shows. */
function needsText(declaration) {
  if (!isMember(declaration)) return false;
  if (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) return false;
  const { type } = declaration;
  return type === undefined || !ts.isLiteralTypeNode(type) || type.literal.kind === ts.SyntaxKind.NullKeyword;
}

/** The table that options are made of by mapped types. What programs see of it are the options, which have their texts. */
function isSettingsTable(declaration) {
  return declaration.getSourceFile().fileName.includes('/dist/src/settings/');
}

function isOurs(declaration) {
  const file = declaration.getSourceFile().fileName;
  return folders.some((folder) => file.startsWith(folder)) && !file.includes('/node_modules/');
}
