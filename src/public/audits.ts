/** Published results and sets of tasks, audited. */
export { auditExitCode, auditTable, type AuditTableOptions } from '../audit/audit-table.ts';
export { renderSetAudit } from '../audit/render-set-audit.ts';
export { renderTableAudit } from '../audit/render-table-audit.ts';
export type { TableReading } from '../audit/resolve-rows.ts';
export { auditSet, type AuditSetOptions, READING_TOOLS, setAuditExitCode } from '../suite/audit-set/audit-set.ts';
export type {
  AuditedRow,
  RowConflict,
  RowHistograms,
  RowOutcome,
  RowVerdict,
  StatedCount,
  TableAudit,
} from '../types/audit/table-audit.ts';
export type { AuditedTask, GoldResult, SetAudit, TrivialResult, TrivialSubject } from '../types/audit/set-audit.ts';
