package dev.oneshot.nativecheck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SimpleVerifier;

/**
 * The compiled classes of a module.
 *
 * @param classes all classes, nested ones too
 */
record Bytecode(List<ClassNode> classes) {

    /** The type of null in the analysis. */
    private static final Type NULL = Type.getObjectType("null");

    static Bytecode of(String module) throws IOException {
        List<ClassNode> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("../..", module, "target/classes"))) {
            files.filter(file -> file.toString().endsWith(".class")
                            && !file.endsWith("package-info.class")
                            && !file.endsWith("module-info.class"))
                    .forEach(file -> classes.add(read(file)));
        }
        return new Bytecode(classes);
    }

    /** Names of the classes that call a method with this prefix. */
    Set<String> callersOf(String owner, String nameBegin) {
        Set<String> callers = new TreeSet<>();
        forEachCall(owner, nameBegin, (caller, method, call) -> callers.add(caller.name.replace('/', '.')));
        return callers;
    }

    /** The static types of the last arguments, except null. */
    Set<Class<?>> lastArgumentsOf(String owner, String nameBegin) {
        Set<Class<?>> types = new HashSet<>();
        forEachCall(owner, nameBegin, (caller, method, call) -> {
            Frame<BasicValue> frame = frames(caller, method)[method.instructions.indexOf(call)];
            Type passed = frame.getStack(frame.getStackSize() - 1).getType();
            if (!passed.equals(NULL)) {
                types.add(load(passed));
            }
        });
        return types;
    }

    /** The class literals in methods that call such a method. */
    Set<Class<?>> classLiteralsInCallersOf(String owner, String nameBegin) {
        Set<Class<?>> types = new HashSet<>();
        forEachCall(owner, nameBegin, (caller, method, call) -> addClassLiterals(method, types));
        return types;
    }

    /** The class literals in a class. */
    Set<Class<?>> classLiteralsIn(String owner) {
        Set<Class<?>> types = new HashSet<>();
        classes.stream()
                .filter(type -> type.name.equals(owner.replace('.', '/')))
                .flatMap(type -> type.methods.stream())
                .forEach(method -> addClassLiterals(method, types));
        return types;
    }

    private void addClassLiterals(MethodNode method, Set<Class<?>> types) {
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof LdcInsnNode constant && constant.cst instanceof Type literal) {
                types.add(load(literal));
            }
        }
    }

    /** Every class, loaded but not initialised. */
    Stream<Class<?>> loaded() {
        return classes.stream().map(type -> load(Type.getObjectType(type.name)));
    }

    private interface CallVisitor {
        void visit(ClassNode caller, MethodNode method, MethodInsnNode call);
    }

    private void forEachCall(String owner, String nameBegin, CallVisitor visitor) {
        String internalName = owner.replace('.', '/');
        for (ClassNode caller : classes) {
            for (MethodNode method : caller.methods) {
                forEachCall(method, call -> {
                    if (call.owner.equals(internalName) && call.name.startsWith(nameBegin)) {
                        visitor.visit(caller, method, call);
                    }
                });
            }
        }
    }

    private static void forEachCall(MethodNode method, Consumer<MethodInsnNode> visitor) {
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof MethodInsnNode call) {
                visitor.accept(call);
            }
        }
    }

    private static Frame<BasicValue>[] frames(ClassNode owner, MethodNode method) {
        SimpleVerifier types = new SimpleVerifier(
                Opcodes.ASM9,
                Type.getObjectType(owner.name),
                Type.getObjectType(owner.superName),
                owner.interfaces.stream().map(Type::getObjectType).toList(),
                (owner.access & Opcodes.ACC_INTERFACE) != 0) {};
        types.setClassLoader(Bytecode.class.getClassLoader());
        try {
            return new Analyzer<>(types).analyze(owner.name, method);
        } catch (AnalyzerException e) {
            throw new AssertionError(owner.name + "." + method.name, e);
        }
    }

    private static Class<?> load(Type type) {
        try {
            return Class.forName(type.getClassName(), false, Bytecode.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static ClassNode read(Path file) {
        try {
            ClassNode type = new ClassNode();
            new ClassReader(Files.readAllBytes(file)).accept(type, ClassReader.SKIP_DEBUG);
            return type;
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}
