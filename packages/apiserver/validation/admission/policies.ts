// SPDX-License-Identifier: Apache-2.0
import type {
  AuditAnnotation,
  MatchResources,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  TypeChecking,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from '@forge/kube/generated/types.ts';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@forge/kube/kinds/builtin.ts';
import { PolicyCompiler } from '../../cel/rules/policy-compiler.ts';
import { dyn } from '../../cel/values/type.ts';
import {
  dns1035LabelProblem,
  pathSegmentProblem,
  qualifiedNameProblems,
  subdomainProblem,
} from '../../formats/names.ts';
import type { Inspection, Rule } from '../inspection.ts';
import { all, each, fields, given, repeatedIndexes, unique, validation } from '../rule.ts';
import { selector } from '../selector-rules.ts';
import { oneOf, required, requiredOneOf, requiredText, text } from '../value-rules.ts';
import { matchConditions, operationsRule, supported } from './admission-rules.ts';
import { excessOf, expressionsOfPolicy } from './expression-limits.ts';

const resourceNames: Rule<readonly string[]> = (names = [], at) => {
  const repeated = repeatedIndexes(names);
  for (const [index, name] of names.entries()) {
    at.inside(index, name, text(pathSegmentProblem));
    if (repeated.has(index)) at.duplicate(name, `[${index}]`);
  }
};

const namedRule: Rule<NamedRuleWithOperations> = all<NamedRuleWithOperations>(
  fields({ resourceNames }),
  operationsRule,
);

const matchResources: Rule<MatchResources> = fields({
  matchPolicy: oneOf('Equivalent', 'Exact'),
  namespaceSelector: selector,
  objectSelector: selector,
  resourceRules: each(namedRule),
  excludeResourceRules: each(namedRule),
});

const apiVersion: Rule<string> = (value = '', at) => {
  const [group, version, ...more] = value.includes('/') ? value.split('/') : ['', value];
  if (value === '') at.required();
  else if (more.length > 0) at.invalid(value, `unexpected GroupVersion string: ${value}`);
  else {
    text(subdomainProblem)(group, at);
    if (version === '') at.invalid(value, 'version must be specified');
    else text(dns1035LabelProblem)(version, at);
  }
};

const paramKind: Rule<ParamKind> = fields({ apiVersion, kind: requiredText(kindProblem) });

/** What is wrong with the name of a kind, which is a DNS label in lower case. */
function kindProblem(kind: string): string | undefined {
  const problem = dns1035LabelProblem(kind.toLowerCase());
  return problem === undefined ? undefined : `may have mixed case, but should otherwise match: ${problem}`;
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function variable(compiler: PolicyCompiler): Rule<Variable> {
  return given(({ name, expression }, at) => {
    if (name.trim() === '') at.required('name is not specified', 'name');
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reserved.has(name)) {
      at.invalid(name, 'must be a valid CEL identifier', 'name');
    }
    if (expression.trim() === '') at.required('expression is not specified', 'expression');
    else checkExpression(compiler.variable(name, expression), at, 'expression');
  });
}

function checkExpression(
  { expression, program }: ReturnType<PolicyCompiler['expression']>,
  at: Inspection,
  field: string,
): void {
  if (typeof program === 'string') at.invalid(expression, program, field);
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validationRule(compiler: PolicyCompiler): Rule<Validation> {
  return given(({ expression, message = '', messageExpression = '', reason }, at) => {
    if (expression.trim() === '') at.required('expression is not specified', 'expression');
    else checkExpression(compiler.validation(expression), at, 'expression');
    if (messageExpression.trim() !== '') checkExpression(compiler.message(messageExpression), at, 'messageExpression');
    else if (messageExpression !== '') {
      at.invalid(messageExpression, 'must be non-empty if specified', 'messageExpression');
    }
    if (message !== '' && message.trim() === '') at.invalid(message, 'must be non-empty if specified', 'message');
    else if (/[\n\r]/.test(message.trim())) at.invalid(message, 'must not contain line breaks', 'message');
    if (reason !== undefined) at.inside('reason', reason, supported(...reasons));
  });
}

const mostAnnotations = 20;
const longestAnnotation = 5 * 1024;

function annotation(compiler: PolicyCompiler, policyName: string): Rule<AuditAnnotation> {
  return given(({ key, valueExpression }, at) => {
    const name = `${policyName}/${key}`;
    for (const problem of qualifiedNameProblems(name)) at.invalid(name, problem, 'key');
    const trimmed = valueExpression.trim();
    if (trimmed === '') at.required('valueExpression is not specified', 'valueExpression');
    else if (Buffer.byteLength(trimmed) > longestAnnotation) {
      at.required(`must not exceed ${longestAnnotation} bytes in length`, 'valueExpression');
    } else {
      const { program } = compiler.annotation(trimmed);
      if (typeof program === 'string') at.invalid(valueExpression, program, 'valueExpression');
    }
  });
}

function annotations(compiler: PolicyCompiler, policyName: string): Rule<readonly AuditAnnotation[]> {
  const rule = annotation(compiler, policyName);
  return (list = [], at) => {
    if (list.length > mostAnnotations) {
      // kube-apiserver prints Go field names here.
      const shown = list.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression }));
      at.invalid(shown, `must not have more than ${mostAnnotations} auditAnnotations`);
    }
    each(rule)(list, at);
    unique<AuditAnnotation>('key')(list, at);
  };
}

function policySpec(policyName: string): Rule<ValidatingAdmissionPolicySpec> {
  return (spec = {}, at) => {
    const excess = excessOf(expressionsOfPolicy(spec));
    if (excess !== undefined) {
      at.forbidden(excess);
      return;
    }
    const { variables = [], validations = [], auditAnnotations = [] } = spec;
    const hasParams = spec.paramKind !== undefined;
    const compiler = new PolicyCompiler({ hasVariables: variables.length > 0, params: hasParams ? dyn : undefined });
    fields<ValidatingAdmissionPolicySpec>({
      failurePolicy: oneOf('Fail', 'Ignore'),
      paramKind,
      matchConstraints: (constraints, inner) => {
        if (constraints === undefined) inner.required();
        else all<MatchResources>(matchResources, fields({ resourceRules: required() }))(constraints, inner);
      },
      matchConditions: matchConditions(hasParams),
      variables: each(variable(compiler)),
    })(spec, at);
    const missing = 'validations or auditAnnotations must contain at least one item';
    if (validations.length + auditAnnotations.length === 0) {
      at.required(missing, 'validations');
      at.required(missing, 'auditAnnotations');
    }
    at.inside('validations', validations, each(validationRule(compiler)));
    at.inside('auditAnnotations', auditAnnotations, annotations(compiler, policyName));
  };
}

const validateSpec = validation<ValidatingAdmissionPolicy>((policy, at) => {
  at.inside('spec', policy?.spec, policySpec(policy?.metadata.name ?? ''));
});

const validateStatus = validation<ValidatingAdmissionPolicy>(
  fields({
    status: fields({
      typeChecking: fields<TypeChecking>({
        expressionWarnings: each(fields({ warning: required(), fieldRef: required() })),
      }),
    }),
  }),
);

/** Validates a ValidatingAdmissionPolicy, or its status. */
export function validateAdmissionPolicy(
  policy: ValidatingAdmissionPolicy,
  before: ValidatingAdmissionPolicy | undefined,
  subresource: string | undefined,
) {
  return subresource === 'status' ? validateStatus(policy, before) : validateSpec(policy, before);
}

const exclusive = 'name and selector are mutually exclusive';

const paramRef: Rule<ParamRef> = given(({ name = '', selector: selected, parameterNotFoundAction }, at) => {
  at.inside('name', name, text(pathSegmentProblem));
  if (name !== '' && selected !== undefined) at.forbidden(exclusive, 'name');
  at.inside('selector', selected, selector);
  if (name !== '' && selected !== undefined) at.forbidden(exclusive, 'selector');
  if (name === '' && selected === undefined) at.required('one of name or selector must be specified');
  at.inside('parameterNotFoundAction', parameterNotFoundAction, requiredOneOf('Deny', 'Allow'));
});

const actions: Rule<readonly string[]> = (list = [], at) => {
  const repeated = repeatedIndexes(list);
  for (const [index, action] of list.entries()) {
    at.inside(index, action, supported('Audit', 'Deny', 'Warn'));
    if (repeated.has(index)) at.duplicate(action, `[${index}]`);
  }
  if (list.includes('Deny') && list.includes('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    at.invalid(list, `must not contain both Deny and Warn (${why})`);
  }
  if (list.length === 0) at.required('at least one validation action is required');
};

/** Validates a ValidatingAdmissionPolicyBinding. */
export const validatePolicyBinding = validation<ValidatingAdmissionPolicyBinding>(
  fields({
    spec: (spec, at) => {
      // Without a spec, it has no fields either.
      fields<ValidatingAdmissionPolicyBindingSpec>({
        policyName: requiredText(subdomainProblem),
        paramRef,
        matchResources,
        validationActions: actions,
      })(spec ?? { policyName: '', validationActions: [] }, at);
    },
  }),
);
