import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { JsonObject, JsonValue } from 'toolpact';
import { Icon } from '../ui/icon.tsx';
import { showHidden } from '../words/show-hidden.ts';
import type { FieldProps } from './field-props.ts';
import { branchOf, firstValue } from './first-value.ts';
import { PlainInput } from './plain-input.tsx';
import { type Field, isJsonObject, type NamedSchema, toField } from './to-field.ts';

type Of<TType extends Field['type']> = Extract<Field, { type: TType }>;

/** A form for the values of a schema. Its fields stand side by side with their descriptions; fields hold fields. */
export function SchemaForm(props: Omit<FieldProps, 'root' | 'path' | 'isOptional'>): JSX.Element {
  if (isEmpty(props.schema)) return <p class="field-about">It takes no arguments.</p>;
  return <FieldBody {...props} root={props.schema} path="" isOptional={false} />;
}

/** Checks whether nothing can be filled in. */
function isEmpty({ type, properties, additionalProperties }: FieldProps['schema']): boolean {
  return type === 'object' && additionalProperties === false && Object.keys(properties ?? {}).length === 0;
}

/** A field with its name, description, bounds, and what is wrong with it. */
function SchemaField({ name, ...props }: FieldProps & { readonly name: string }): JSX.Element {
  const id = useId();
  const field = toField(props.schema, props.root);
  const issue = props.issues.get(props.path);
  const isPlain = !['object', 'array', 'union'].includes(field.type);
  const about = showHidden([field.description, field.hint].filter(Boolean).join(' · '));
  const group = isPlain ? {} : ({ role: 'group', 'aria-labelledby': `${id}-name` } as const);
  const label = (
    <>
      <span class="field-name">{showHidden(name)}</span>
      {!props.isOptional && <span class="field-need">required</span>}
    </>
  );
  return (
    <div class={`field field-${field.type}${issue ? ' field-wrong' : ''}`} {...group}>
      {isPlain ? (
        <label class="field-label" for={id}>
          {label}
        </label>
      ) : (
        <span class="field-label" id={`${id}-name`}>
          {label}
        </span>
      )}
      {about && (
        <span class="field-about" id={`${id}-about`}>
          {about}
        </span>
      )}
      <FieldBody {...props} id={id} describedBy={about ? `${id}-about` : undefined} />
      {issue && (
        <span class="field-issue" role="alert">
          {showHidden(issue)}
        </span>
      )}
    </div>
  );
}

interface FieldBodyProps extends FieldProps {
  readonly id?: string;
  readonly describedBy?: string | undefined;
}

/** The part of a field in which its value is entered. */
function FieldBody(props: FieldBodyProps): JSX.Element {
  const field = toField(props.schema, props.root);
  switch (field.type) {
    case 'object':
      return <ObjectFields {...props} field={field} />;
    case 'array':
      return <ArrayFields {...props} field={field} />;
    case 'union':
      return <UnionFields {...props} field={field} />;
    default:
      return <PlainInput {...props} field={field} />;
  }
}

/** Enters the fields of an object; one that may be left out can be added and removed. */
function ObjectFields({ field, ...props }: FieldProps & { readonly field: Of<'object'> }): JSX.Element {
  const { value, root, path, onChange, issues } = props;
  const newName = useSignal('');
  if (value === undefined) return <AddButton {...props} />;
  const own = isJsonObject(value) ? value : {};
  const set = (name: string, inner: JsonValue | undefined): void => {
    const { [name]: _, ...others } = own;
    const named = inner === undefined ? others : { ...own, [name]: inner };
    onChange(named);
  };
  const known = new Set(field.fields.map(({ name }) => name));
  return (
    <div class="fields">
      {field.fields.filter(isAsked(root)).map(({ name, schema, isRequired }) => (
        <SchemaField
          key={name}
          name={name}
          schema={schema}
          root={root}
          value={own[name]}
          path={join(path, name)}
          isOptional={!isRequired}
          onChange={(inner) => set(name, inner)}
          issues={issues}
        />
      ))}
      {field.extra !== undefined &&
        Object.keys(own)
          .filter((name) => !known.has(name))
          .map((name) => (
            <div key={name} class="fields-item">
              <SchemaField
                name={name}
                schema={field.extra ?? {}}
                root={root}
                value={own[name]}
                path={join(path, name)}
                isOptional={false}
                onChange={(inner) => set(name, inner ?? null)}
                issues={issues}
              />
              <RemoveButton what={name} onRemove={() => set(name, undefined)} />
            </div>
          ))}
      {field.extra !== undefined && (
        <span class="fields-add">
          <input
            aria-label={`Name of a new field${path ? ` of ${path}` : ''}`}
            placeholder="name of a field"
            value={newName.value}
            onInput={({ currentTarget }) => {
              newName.value = currentTarget.value;
            }}
          />
          <button
            type="button"
            disabled={newName.value === '' || newName.value in own}
            onClick={() => {
              set(newName.value, firstValue(field.extra, root));
              newName.value = '';
            }}
          >
            Add field
          </button>
        </span>
      )}
      {props.isOptional && path !== '' && <RemoveGroup path={path} onRemove={() => onChange(undefined)} />}
    </div>
  );
}

/** Enters the items of a list. */
function ArrayFields({ field, ...props }: FieldProps & { readonly field: Of<'array'> }): JSX.Element {
  const { value, root, path, onChange, issues } = props;
  // Items are known by a number of their own, so that removing one does not move what was typed into another.
  const ids = useSignal<readonly number[]>([]);
  if (value === undefined) return <AddButton {...props} />;
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  while (ids.value.length < list.length) ids.value = [...ids.value, Math.max(0, ...ids.value) + 1];
  const schemaOf = (index: number): JsonObject => field.items[index] ?? field.rest ?? {};
  const canGrow = field.rest !== undefined || list.length < field.items.length;
  return (
    <div class="fields">
      {list.map((item, index) => (
        <div key={ids.value[index]} class="fields-item">
          <SchemaField
            name={`${index + 1}`}
            schema={schemaOf(index)}
            root={root}
            value={item}
            path={join(path, String(index))}
            isOptional={false}
            onChange={(inner) => onChange(list.with(index, inner ?? null) as JsonValue)}
            issues={issues}
          />
          <RemoveButton
            what={`item ${index + 1}`}
            onRemove={() => {
              ids.value = ids.value.toSpliced(index, 1);
              onChange(list.toSpliced(index, 1) as JsonValue);
            }}
          />
        </div>
      ))}
      <span class="fields-add">
        {canGrow && (
          <button type="button" onClick={() => onChange([...list, firstValue(schemaOf(list.length), root)] as JsonValue)}>
            Add item
          </button>
        )}
        {props.isOptional && path !== '' && <RemoveGroup path={path} onRemove={() => onChange(undefined)} />}
      </span>
    </div>
  );
}

/** Chooses between several schemas, and enters the value of the chosen one. */
function UnionFields({ field, ...props }: FieldProps & { readonly field: Of<'union'> }): JSX.Element {
  const { value, root, onChange, path, isOptional } = props;
  const chosen = useSignal(branchOf(value, field.branches, root));
  const branch = field.branches[chosen.value];
  return (
    <div class="fields">
      <select
        aria-label={`Form of ${path || 'the value'}`}
        value={value === undefined ? '' : String(chosen.value)}
        onChange={({ currentTarget }) => {
          if (currentTarget.value === '') return onChange(undefined);
          chosen.value = Number(currentTarget.value);
          onChange(firstValue(field.branches[chosen.value]?.schema, root));
        }}
      >
        {(isOptional || value === undefined) && <option value="">not set</option>}
        {field.branches.map(({ title }, index) => (
          <option key={index} value={index}>
            {showHidden(title)}
          </option>
        ))}
      </select>
      {value !== undefined && branch !== undefined && <FieldBody key={chosen.value} {...props} schema={branch.schema} isOptional={false} />}
    </div>
  );
}

function AddButton({ schema, root, path, onChange }: FieldProps): JSX.Element {
  return (
    <button type="button" class="fields-set" onClick={() => onChange(firstValue(schema, root))} aria-label={`Add ${path}`}>
      Add
    </button>
  );
}

function RemoveGroup({ path, onRemove }: { readonly path: string; readonly onRemove: () => void }): JSX.Element {
  return (
    <button type="button" class="fields-set" onClick={onRemove}>
      {`Remove ${path}`}
    </button>
  );
}

function RemoveButton({ what, onRemove }: { readonly what: string; readonly onRemove: () => void }): JSX.Element {
  return (
    <button type="button" class="quiet square fields-remove" onClick={onRemove} title={`Remove ${what}`}>
      <Icon name="close" size={12} />
      <span class="unseen">{`Remove ${what}`}</span>
    </button>
  );
}

/** A field with one possible value, such as the tag of a union, is not asked for. */
function isAsked(root: JsonObject): (field: NamedSchema) => boolean {
  return ({ schema, isRequired }) => {
    const field = toField(schema, root);
    return !(isRequired && field.type === 'choice' && field.choices.length === 1);
  };
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
